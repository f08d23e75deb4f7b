import * as v from 'valibot'
import type { FormFaults } from '../../../components/form/use-form.ts'
import { templateTexts } from '../texts.ts'

/** What is wrong with a template's content by its schema, in words, by the names that its fields have in the form. */
export function contentFaults(schema: v.GenericSchema, content: unknown, path: string): FormFaults {
  const { issues = [] } = v.safeParse(schema, content)
  return Object.fromEntries(issues.map((issue) => [`${path}.${v.getDotPath(issue) ?? ''}`, wordsOf(issue)]))
}

function wordsOf(issue: v.BaseIssue<unknown>): string {
  const { faults } = templateTexts
  if (issue.type === 'max_length') return faults.tooLong(Number(issue.requirement))
  if (issue.type === 'number' || issue.type === 'integer') return faults.number
  if (issue.type === 'regex') return faults.id
  if (issue.received === 'undefined') return faults.missing
  return issue.message.startsWith('Invalid') ? faults.unknown : sentence(issue.message)
}

/** The schemas' own words are short clauses, such as "must be 1 to 10". */
function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}
