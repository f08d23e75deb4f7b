import type { VNode } from 'preact'
import { isValueText } from '../../../../contract/page/value-text.ts'
import { useApp } from '../../../app-context.ts'
import { FieldFrame } from '../../../components/form/field-frame.tsx'
import type { FieldProps } from '../../../components/form/field-frame.tsx'
import { useField } from '../../../components/form/use-field.ts'
import type { FormState } from '../../../components/form/use-form.ts'
import { contrastOf, hexOf, parseColour } from '../colours/colour.ts'
import { templateTexts } from '../texts.ts'
import { isColour, contrastPairOf, propertyAt } from './style-place.ts'

interface StyleFieldProps extends FieldProps {
  form: FormState<string>
  name: string
}

/** A field for a value of CSS. A colour can be chosen by eye, and its contrast is shown. */
export function StyleField({ form, name, label, hint }: StyleFieldProps): VNode {
  const { browser } = useApp()
  const { id, value, fault, set, bound } = useField(form, name)
  const colour = isColour(name) ? parseColour(value, browser.document) : null
  return (
    <FieldFrame
      id={id}
      label={label}
      fault={fault}
      hint={fault === undefined ? (noteOf(form, name, browser.document) ?? hint) : hint}
    >
      <div class="style-row">
        {isColour(name) && (
          <input
            type="color"
            class={colour === null ? 'swatch unset' : 'swatch'}
            aria-label={templateTexts.form.colour(label)}
            value={colour === null ? '#ffffff' : hexOf(colour)}
            onInput={(event) => set(event.currentTarget.value)}
          />
        )}
        <input
          {...bound}
          type="text"
          class="control code"
          autocomplete="off"
          spellcheck={false}
          value={value}
          onInput={(event) => set(event.currentTarget.value)}
        />
      </div>
    </FieldFrame>
  )
}

/** The hint for a value: that it is invalid, or its contrast; undefined for none. */
function noteOf(form: FormState<string>, name: string, page: Document): string | undefined {
  const texts = templateTexts.form
  const value = form.values.value[name] ?? ''
  if (value === '') return undefined
  // What is saved and what the form shows is judged by this rule first; a browser alone takes more, such as variables.
  if (!isValueText(value)) return texts.refusedValue
  if (!CSS.supports(propertyAt(name), value)) return isColour(name) ? texts.notColour : texts.notValue
  const pair = contrastPairOf(name)
  const colour = parseColour(value, page)
  const background = pair && parseColour(form.values.value[pair.background] ?? '', page)
  if (!pair || !colour || !background) return undefined
  const ratio = contrastOf(colour, background)
  const { good, poor } = templateTexts.contrast
  return ratio < pair.min ? poor(ratio.toFixed(1), String(pair.min)) : good(ratio.toFixed(1))
}
