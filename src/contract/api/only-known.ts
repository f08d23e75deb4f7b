import type { StrictObjectIssue } from 'valibot'

/** Words for a strict body: an unknown name is refused and the known ones are listed; other faults keep their words. */
export const onlyKnown = (known: string) => (issue: StrictObjectIssue) =>
  issue.expected === 'never' ? `is not known here; send only ${known}` : issue.message
