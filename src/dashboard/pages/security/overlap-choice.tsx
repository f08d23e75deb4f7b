import type { VNode } from 'preact'
import { Select } from '../../components/form/select.tsx'
import type { FormState } from '../../components/form/use-form.ts'
import { securityTexts } from './texts.ts'

const texts = securityTexts.overlap
const HOUR_SECONDS = 3600

const OPTIONS = [
  { value: String(24 * HOUR_SECONDS), words: texts.day },
  { value: String(HOUR_SECONDS), words: texts.hour },
  { value: String(7 * 24 * HOUR_SECONDS), words: texts.week },
  { value: '0', words: texts.none },
]

/** The overlap that is chosen unless somebody chooses another: long enough to bring a new key to every server. */
export const USUAL_OVERLAP = String(24 * HOUR_SECONDS)

/** How long what is replaced works beside what is new, in seconds. */
export function OverlapChoice({ form }: { form: FormState<'overlap'> }): VNode {
  return <Select form={form} name="overlap" label={texts.label} options={OPTIONS} />
}
