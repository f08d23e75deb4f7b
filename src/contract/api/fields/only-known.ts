import type { StrictObjectIssue } from 'valibot'

/** Error message of a strict object: lists the known keys for an unknown one. Other issues keep their message. */
export const onlyKnown = (known: string) => (issue: StrictObjectIssue) =>
  issue.expected === 'never' ? `is not known here; send only ${known}` : issue.message
