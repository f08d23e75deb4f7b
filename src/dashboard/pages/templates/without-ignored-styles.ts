import * as v from 'valibot'
import { isValueText } from '../../../contract/page/value-text.ts'

const Styles = v.pipe(
  v.record(v.string(), v.string()),
  v.transform((styles) =>
    Object.fromEntries(Object.entries(styles).filter(([, value]) => isValueText(value))),
  ),
)
const Content = v.looseObject({
  styles: v.optional(Styles),
  element_styles: v.optional(v.array(v.looseObject({ styles: Styles }))),
})

/**
 * A template's content without styles that every form ignores: an older template may have some, and the service refuses to take them again.
 * Its forms look the same.
 */
export function withoutIgnoredStyles(content: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return v.parse(Content, content)
}
