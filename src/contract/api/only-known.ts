import type { StrictObjectIssue } from 'valibot'

/** Says of a name that a strict body does not know what it does know; what else is wrong with it, as it is. */
export const onlyKnown = (known: string) => (issue: StrictObjectIssue) =>
  issue.expected === 'never' ? `is not known here; send only ${known}` : issue.message
