import { effect } from '@preact/signals'
import type { VNode, TargetedEvent } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { HALF_FIELDS, SHORT_FIELDS } from '../../contract/page/fields/half-fields.ts'
import { advance, redirectKey } from './auto-advance.ts'
import { beginEdit, composeText, editField, leaveField, undoOrRedoEdit } from './field-actions.ts'
import type { TextEdit, TextWithCaret } from './editing/text-edit.ts'
import type { FieldName } from '../../contract/page/fields/field-name.ts'
import { formFieldsOf } from '../../contract/page/fields/field-name.ts'
import type { Form } from '../form/form-view.ts'
import type { Emit } from '../page-channel.ts'
import { renderAfterPaint } from '../render.ts'
import { caretOf, showText } from './read-inputs.ts'
import { traitsOf } from './address.ts'
import { useCountryList } from './country-list.tsx'
import { LONGEST_TEXT } from './field-traits.ts'
import type { FieldTraits } from './field-traits.ts'
import { schemeLabelOf } from '../../card/scheme.ts'
import { textOf, wordsOf } from '../form/form-state.ts'
import { SchemeIcon } from '../form/components/scheme-icon.tsx'
import { Words } from '../form/components/words.tsx'

interface TextFieldProps {
  form: Form
  emit: Emit
  field: FieldName
  last: boolean
}

/** One input with its label and, below it, its fault or a hint. */
export function TextField({ form, emit, field, last }: TextFieldProps): VNode {
  const { autocomplete, mode, capitals = 'off' } = traitsOf(form, field)
  const { label, placeholder, required, note, isFaultShown } = form.view.fields[field].value
  const noteId = `${field}-note`
  const renewal = form.renewals[field].value
  const input = useRef<HTMLInputElement>(null)
  const countries = useCountryList(form, field, input)
  // Only when the form's text changes, never by rendering: what stands in an input may be news to the form. At once, as rendering takes
  // longer than all else that a key does. The same value, set again, could move the caret.
  useLayoutEffect(
    () =>
      effect(() => {
        const text = textOf(form, field)
        if (input.current !== null && input.current.value !== text) input.current.value = text
      }),
    [form, field, renewal],
  )
  return (
    <div class={`field ${widthClassOf(field)}`}>
      <label for={field}>
        <Words text={label} />
        {!required && field !== 'card_ccv' && (
          <small>
            <Words text={` ${wordsOf(form, 'optional')}`} />
          </small>
        )}
      </label>
      <div class="box" {...countries.box}>
        <input
          key={renewal}
          id={field}
          {...fieldBehaviour(form, field, emit)}
          {...typeOf(mode)}
          autocomplete={autocomplete}
          inputMode={mode ?? 'text'}
          enterkeyhint={last ? 'done' : 'next'}
          autoCapitalize={capitals}
          autocorrect="off"
          spellcheck={false}
          maxLength={LONGEST_TEXT}
          placeholder={placeholder}
          ref={input}
          readOnly={form.view.processing.value}
          required={required}
          aria-invalid={isFaultShown}
          aria-describedby={noteId}
          {...countries.input}
        />
        {countries.input && <Arrow />}
        {countries.list}
        {field === 'card_number' && <CardSchemes form={form} />}
        {field === 'card_ccv' && <CodePlace onFront={form.view.scheme.value?.codeLength === 4} />}
      </div>
      <p id={noteId} class={isFaultShown ? 'fault' : 'hint'}>
        <Words text={note} />
      </p>
    </div>
  )
}

function widthClassOf(field: FieldName): 'short' | 'half' | '' {
  if (SHORT_FIELDS.includes(field)) return 'short'
  return HALF_FIELDS.includes(field) ? 'half' : ''
}

/** Icons that are seen in a wide and in a narrow number field; screen readers have the whole list. */
const SEEN_ICONS = { wide: 4, narrow: 2 }

/** Inside the input: icons of the schemes that the merchant accepts until a digit is typed, then the icon of the number's scheme. */
function CardSchemes({ form }: { form: Form }): VNode {
  const { card_icons = [] } = form.settings.value
  const isTyped = form.view.isNumberTyped.value
  const more = (seen: number) => (card_icons.length > seen ? `+${card_icons.length - seen}` : undefined)
  return (
    <>
      {(isTyped || card_icons.length === 0) && <CardScheme form={form} />}
      {card_icons.length > 0 && (
        <ul
          class={isTyped ? 'unseen' : 'schemes'}
          aria-label={wordsOf(form, 'accepted')}
          data-more={more(SEEN_ICONS.wide)}
          data-fewer={more(SEEN_ICONS.narrow)}
        >
          {card_icons.map((name, at) => (
            <li key={name} class={seenClassOf(at)}>
              <SchemeIcon name={name} label={schemeLabelOf(name)} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function seenClassOf(at: number): 'unseen' | 'wide' | '' {
  if (at >= SEEN_ICONS.wide) return 'unseen'
  return at >= SEEN_ICONS.narrow ? 'wide' : ''
}

function CardScheme({ form }: { form: Form }): VNode {
  const scheme = form.view.scheme.value
  return <SchemeIcon name={scheme?.name ?? ''} label={scheme?.label ?? wordsOf(form, 'card')} />
}

/**
 * Card digits are text, not a number: they have gaps, and arrow keys must not change them. So is an e-mail address: of its own
 * type, browsers would write its domain in another script (`xn--…`).
 */
function typeOf(mode: FieldTraits['mode']) {
  return mode === 'tel' ? { type: mode } : { type: 'text' as const }
}

/** A card with the place of its code: on the back beside the strip for signatures, or on the front above the number. */
function CodePlace({ onFront }: { onFront: boolean }): VNode {
  return (
    <svg class="code-place" viewBox="0 0 38 24" aria-hidden="true" fill="none" stroke="currentColor">
      <rect x=".5" y=".5" width="37" height="23" rx="4" />
      <path stroke-width="4" d={onFront ? 'M5 17.5h15' : 'M0 6.5h38'} />
      <rect class="spot" x={onFront ? 20.5 : 18.5} y={onFront ? 4.5 : 11.5} width="14" height="8" rx="4" />
      <path stroke-dasharray="2" stroke-width="2" d={onFront ? 'M23.5 8.5h8' : 'M22.5 15.5h6'} />
    </svg>
  )
}

/** Tells that a field has a list. */
function Arrow(): VNode {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true" fill="none" stroke="currentColor">
      <path stroke-width="2" d="m5 7.5 5 5 5-5" />
    </svg>
  )
}

type Input = HTMLInputElement

/** The event handlers of an input. */
function fieldBehaviour(form: Form, field: FieldName, emit: Emit) {
  const wireName = formFieldsOf([field])[0] ?? 'card_name'
  const handleUndo = (event: TargetedEvent<Input>) => {
    const direction = undoDirectionOf(event)
    if (direction === null) return
    event.preventDefault()
    if (form.phase.value === 'processing') return
    const shown = undoOrRedoEdit(form, field, direction, caretOf(event.currentTarget))
    if (shown !== null) showText(event.currentTarget, shown)
  }
  return {
    onKeyDown: (event: TargetedEvent<Input, KeyboardEvent>) => {
      if (redirectKey(form, field, event)) event.preventDefault()
      else handleUndo(event)
    },
    onBeforeInput: (event: TargetedEvent<Input, InputEvent>) => {
      // Now and not after the browser's edit, which a rendering of the text before it would undo.
      form.afterPaint.flush()
      handleUndo(event)
      if (!event.isComposing) beginEdit(form, field, editOf(event))
    },
    onCompositionStart: () => {
      form.composing.add(field)
      beginEdit(form, field)
    },
    onInput: (event: TargetedEvent<Input, InputEvent>) => {
      const { currentTarget: input, inputType, isComposing, timeStamp: at } = event
      renderAfterPaint(form.afterPaint, () => {
        if (isComposing) {
          composeText(form, field, input.value)
          return
        }
        const before = textOf(form, field)
        const edit = { value: input.value, caret: caretOf(input), inputType, inserted: event.data }
        const shown = formatInput(form, field, input, edit)
        advance(form, field, { before, edit, shown, at })
      })
    },
    onCompositionEnd: (event: TargetedEvent<Input, CompositionEvent>) => {
      form.composing.delete(field)
      const { currentTarget: input } = event
      const edit = { value: input.value, caret: caretOf(input), inputType: 'insertCompositionText' }
      formatInput(form, field, input, edit)
    },
    onFocus: () => emit({ event: 'focus', field: wireName }),
    onBlur: ({ currentTarget: input }: TargetedEvent<Input>) => {
      // Who is in another tab, perhaps to look up the rest, has not left the field.
      if (input.ownerDocument.activeElement !== input) form.afterClick(() => leaveField(form, field))
      emit({ event: 'blur', field: wireName })
    },
  }
}

function editOf({ currentTarget: { selectionStart, selectionEnd }, data }: TargetedEvent<Input, InputEvent>) {
  return { replacedSelection: selectionStart !== selectionEnd, inserted: data }
}

/** Formats and stores what the browser has put into an input, and shows it. Returns what is shown. */
function formatInput(form: Form, field: FieldName, input: Input, edit: TextEdit): TextWithCaret {
  const shown = editField(form, field, edit)
  if (edit.value !== shown.value) showText(input, shown)
  return shown
}

/**
 * Whether a key or a menu asks for undo or redo; null if neither. The browser's own undo must not run, as it does not know
 * the gaps that were inserted between digits.
 */
function undoDirectionOf(event: Event): 'undo' | 'redo' | null {
  if (event instanceof InputEvent) {
    if (event.inputType === 'historyUndo') return 'undo'
    return event.inputType === 'historyRedo' ? 'redo' : null
  }
  if (!(event instanceof KeyboardEvent) || event.ctrlKey === event.metaKey || event.altKey) return null
  const letter = letterOf(event)
  if (letter === 'z') return event.shiftKey ? 'redo' : 'undo'
  return letter === 'y' ? 'redo' : null
}

/** The letter of a key or, on a keyboard of another script, of its position. */
function letterOf({ key, code }: KeyboardEvent): string {
  return (/^[a-z]$/i.test(key) ? key : code.slice(-1)).toLowerCase()
}
