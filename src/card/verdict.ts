/** What can be said of something while it is typed: right, not yet wrong, wrong. */
export type Verdict = 'valid' | 'incomplete' | 'invalid'
