import type { RefObject, VNode } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { FieldName } from '../../contract/page/fields/field-name.ts'
import { announce } from '../form/announce.ts'
import { textOf, wordsOf } from '../form/form-state.ts'
import { labelOf } from '../form/form-texts.ts'
import type { Form } from '../form/form-view.ts'
import { filled } from '../language/translation.ts'
import { countriesFor, countriesIn, countryNamed } from './countries.ts'
import type { Country } from './countries.ts'
import { beginEdit, editField } from './field-actions.ts'

/** The list that is open below a field. */
interface OpenList {
  countries: readonly Country[]
  /** Where the country stands that Enter takes; -1: none. */
  active: number
  /** Whether a person has moved to it: then Tab takes it too. */
  isMoved: boolean
}

/** Where keys come to in the list: the arrows also from its end to its start, and back. */
const MOVES: Readonly<Record<string, (open: OpenList) => number>> = {
  ArrowDown: ({ active, countries }) => (active + 1) % countries.length,
  ArrowUp: ({ active, countries }) => (active < 1 ? countries.length : active) - 1,
  Home: () => 0,
  End: ({ countries }) => countries.length - 1,
}

/** What opens the list while it is typed. An event of another kind comes from autofill, whose text is whole. */
const typing = /^(insert(Compos|Text|FromPaste)|delete)/

const LIST_ID = 'countries'

/**
 * Makes the country field a combobox whose list follows what is typed (WAI-ARIA 1.2, editable combobox). Returns what the input and the
 * box around it are given, and the list, which stands in that box. Any other field is given nothing.
 */
export function useCountryList(form: Form, field: FieldName, input: RefObject<HTMLInputElement | null>) {
  const [open, setOpen] = useState<OpenList | null>(null)
  if (field !== 'address_country') return {}
  const language = form.translation.value.code
  const show = (isTyped: boolean) => {
    const list = listFor(textOf(form, field), language, isTyped)
    const count = list.countries.length
    if (isTyped && count !== open?.countries.length)
      announce(form, filled(wordsOf(form, 'matches'), 'count', String(count)))
    setOpen(count > 0 && !form.view.processing.value ? list : null)
  }
  const take = ({ countries, active }: OpenList) => {
    const { name = '' } = countries[active] ?? {}
    beginEdit(form, field)
    editField(form, field, { value: name, caret: name.length, inputType: 'insertReplacementText' })
    setOpen(null)
  }
  return {
    input: comboboxOf(open),
    box: {
      // Made before it is needed, but not before the field has been painted with its focus.
      onFocusIn: () => form.afterPaint.add(() => countriesIn(language)),
      onFocusOut: () => setOpen(null),
      onClick: ({ target }: Event) => {
        if (target !== input.current || open !== null) return
        input.current?.select()
        show(false)
      },
      onInput: ({ inputType }: InputEvent) => (typing.test(inputType) ? show(true) : setOpen(null)),
      onKeyDown: (event: KeyboardEvent) => {
        const act = actOf(event, open, { show, setOpen, take })
        act?.()
        if (act && event.key !== 'Tab') event.preventDefault()
      },
    },
    list: open && <CountryList label={labelOf(form, field)} open={open} take={take} input={input} />,
  }
}

/** What a combobox says of itself. Preact's types have none whose list is not the browser's own. */
function comboboxOf(open: OpenList | null): Readonly<Record<string, string | boolean | undefined>> {
  return {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-expanded': open !== null,
    'aria-controls': open ? LIST_ID : undefined,
    'aria-activedescendant': open?.countries[open.active]?.code,
  }
}

/** The list when it opens: what a typed text finds, or all with the country that the field names. */
function listFor(text: string, language: string, isTyped: boolean): OpenList {
  const countries = isTyped ? countriesFor(text, language) : countriesIn(language)
  const named = countryNamed(text, language)
  const active = isTyped && text !== '' ? 0 : countries.findIndex(({ code }) => code === named?.code)
  return { countries, active, isMoved: false }
}

interface ListActs {
  show: (isTyped: boolean) => void
  setOpen: (open: OpenList | null) => void
  take: (open: OpenList) => void
}

/** What a key does to the list, in the place of what the browser would do; undefined if nothing. */
function actOf(event: KeyboardEvent, open: OpenList | null, { show, setOpen, take }: ListActs) {
  const { key, altKey } = event
  const move = MOVES[key]
  if (!isPlain(event)) return undefined
  if (open === null) return key.startsWith('Arrow') && move ? () => show(false) : undefined
  if (key === 'Escape' || (altKey && key === 'ArrowUp')) return () => setOpen(null)
  if (move) return () => setOpen({ ...open, active: move(open), isMoved: true })
  return isTakenBy(key, open) ? () => take(open) : undefined
}

const isPlain = ({ isComposing, ctrlKey, metaKey, shiftKey }: KeyboardEvent) =>
  !(isComposing || ctrlKey || metaKey || shiftKey)

/** Tab takes what a person has moved to, Enter also what a typed text has found first. */
const isTakenBy = (key: string, { active, isMoved }: OpenList) =>
  active >= 0 && (key === 'Enter' || (key === 'Tab' && isMoved))

interface CountryListProps {
  label: string
  open: OpenList
  take: (open: OpenList) => void
  input: RefObject<HTMLInputElement | null>
}

function CountryList({ label, open, take, input }: CountryListProps): VNode {
  const { countries, active, isMoved } = open
  const list = useRef<HTMLUListElement>(null)
  useLayoutEffect(() => placeList(list.current, input.current), [list, input])
  useLayoutEffect(() => {
    const item = list.current?.children[active]
    if (isMoved) item?.scrollIntoView({ block: 'nearest' })
    else if (list.current) list.current.scrollTop = item instanceof HTMLElement ? item.offsetTop : 0
  }, [countries, active, isMoved])
  return (
    <ul
      ref={list}
      id={LIST_ID}
      role="listbox"
      aria-label={label}
      // The focus, and with it a phone's keyboard, stays in the field, also when the list is scrolled by its bar.
      onMouseDown={(event) => event.preventDefault()}
    >
      {countries.map((country, at) => (
        <li
          key={country.code}
          id={country.code}
          role="option"
          aria-selected={at === active}
          onClick={() => take({ ...open, active: at })}
        >
          {country.name}
        </li>
      ))}
    </ul>
  )
}

/** Pixels between the list and what is around it, and what is enough for some of its lines. */
const GAP = 4
const ENOUGH = 200

/** Inside the frame, which can't be left: below the field, or above it where there is more room. */
function placeList(list: HTMLElement | null, input: HTMLElement | null): void {
  if (list === null || input === null) return
  const { top, bottom } = input.getBoundingClientRect()
  const below = list.ownerDocument.documentElement.clientHeight - bottom
  const isAbove = below < Math.min(ENOUGH, list.offsetHeight + 2 * GAP) && top > below
  list.classList.toggle('above', isAbove)
  list.style.maxHeight = `min(18em, ${Math.floor((isAbove ? top : below) - 2 * GAP)}px)`
}
