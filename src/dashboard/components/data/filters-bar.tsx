import { useSignal } from '@preact/signals'
import { useId, useEffect, useRef } from 'preact/hooks'
import type { ComponentChildren, TargetedEvent, VNode } from 'preact'
import { useApp } from '../../app-context.ts'
import { hrefWith } from '../../router/query.ts'
import { Button } from '../actions/button.tsx'
import type { Option } from '../form/select.tsx'
import { Icon } from '../icon.tsx'
import { asciiDigits, passesLuhn } from '../../../card/digits.ts'
import { useShortcuts } from '../../keyboard/use-shortcuts.ts'
import { dataTexts } from './texts.ts'
import './filters-bar.css'

/** One filter of a list; `name` is its name in the address. */
export type Filter =
  | { kind: 'choice'; name: string; label: string; options: readonly Option[] }
  /** A day as `2026-11-21`, an amount in units of the currency, or any text, such as an id. */
  | { kind: 'day' | 'amount' | 'text'; name: string; label: string }

interface FiltersBarProps {
  filters: readonly Filter[]
  /** The words in the empty search field, such as "Id, reference or last four digits". Absent: no search. It is `q` in the address. */
  search?: string
}

/** A list's search and filters. They stand in the address, so that a link shows the same list. */
export function FiltersBar({ filters, search }: FiltersBarProps): VNode {
  const { router, toasts } = useApp()
  const place = router.place.value
  // Uses the address as it is when this runs: a search waits until the person has stopped typing, and a filter may be chosen
  // meanwhile.
  const set = (name: string, value: string) =>
    router.go(hrefWith(router.place.peek(), { [name]: withoutCardNumber(value) }), { replace: true })
  const names = [...filters.map(({ name }) => name), 'q']
  const isFiltered = names.some((name) => place.query.has(name))
  const active = filters.filter(({ name }) => place.query.has(name)).length
  const clear = () => {
    const before = hrefWith(place, {})
    router.go(hrefWith(place, Object.fromEntries(names.map((name) => [name, null]))))
    toasts.show(dataTexts.cleared, { undo: () => router.go(before) })
  }
  const controls = (
    <>
      {filters.map((filter) => (
        <FilterControl
          key={filter.name}
          filter={filter}
          value={place.query.get(filter.name) ?? ''}
          set={(value) => set(filter.name, value)}
        />
      ))}
      {isFiltered && (
        <Button tone="quiet" icon="close" onClick={clear}>
          {dataTexts.clear}
        </Button>
      )}
    </>
  )
  return (
    <search class="filters">
      {search !== undefined && (
        <SearchField placeholder={search} value={place.query.get('q') ?? ''} set={(text) => set('q', text)} />
      )}
      {filters.length > 1 ? <FoldedFilters active={active}>{controls}</FoldedFilters> : controls}
    </search>
  )
}

/** On a narrow screen the filters are behind one button, which says how many are active. */
function FoldedFilters({ active, children }: { active: number; children: ComponentChildren }): VNode {
  const isOpen = useSignal(false)
  const id = useId()
  return (
    <>
      <button
        type="button"
        class="button plain filters-fold"
        aria-expanded={isOpen.value}
        aria-controls={id}
        onClick={() => (isOpen.value = !isOpen.value)}
      >
        <span>{dataTexts.filters(active)}</span>
        <Icon name="down" />
      </button>
      <div id={id} class={isOpen.value ? 'filters-folded open' : 'filters-folded'}>
        {children}
      </div>
    </>
  )
}

interface FilterControlProps {
  filter: Filter
  value: string
  set: (value: string) => void
}

function FilterControl({ filter, value, set }: FilterControlProps): VNode {
  const text = {
    value,
    onChange: (event: TargetedEvent<HTMLInputElement>) => set(event.currentTarget.value.trim()),
  }
  return (
    <label class={value === '' ? 'filter' : 'filter set'}>
      <span>{filter.label}</span>
      {filter.kind === 'choice' && <Choice options={filter.options} value={value} set={set} />}
      {filter.kind === 'day' && <input {...text} type="date" />}
      {filter.kind === 'amount' && (
        <input
          {...text}
          type="text"
          inputMode="decimal"
          size={7}
          onChange={(event) => set(plainAmount(event.currentTarget.value.trim()))}
        />
      )}
      {filter.kind === 'text' && (
        <input {...text} type="text" size={12} autocomplete="off" spellcheck={false} />
      )}
    </label>
  )
}

const AMOUNT = /^\D*(\d(?:[\d.,'’ ]*?\d)??)(?:[.,](\d{1,2}))?\D*$/

/** An amount as it was typed or pasted, such as `A$1,200.50` or `1.200,50 €`, as addresses have it: `1200.50`. */
function plainAmount(typed: string): string {
  const [, units, cents] = AMOUNT.exec(typed.normalize('NFKC')) ?? []
  if (units === undefined) return typed
  return [units.replaceAll(/\D/g, ''), ...(cents === undefined ? [] : [cents])].join('.')
}

function Choice({
  options,
  value,
  set,
}: Omit<FilterControlProps, 'filter'> & { options: readonly Option[] }) {
  // A link may ask for one that is not offered.
  const isOther = value !== '' && options.every((option) => option.value !== value)
  return (
    <select value={value} onChange={(event) => set(event.currentTarget.value)}>
      <option value="">{dataTexts.any}</option>
      {isOther && (
        <option value={value} selected>
          {value}
        </option>
      )}
      {options.map((option) => (
        <option key={option.value} value={option.value} selected={option.value === value}>
          {option.words}
        </option>
      ))}
    </select>
  )
}

interface SearchFieldProps {
  placeholder: string
  value: string
  /** Called when the person has stopped typing. */
  set: (text: string) => void
}

/** How long a person does not type before the list is searched. */
const PAUSE_MS = 300
/** What a search may have; what is pasted may be a whole message. */
const MAX_LENGTH = 250

/** Digits in groups, as numbers of cards are printed, typed and copied. */
const DIGITS = /(?<![\p{L}\p{Nd}])\p{Nd}+(?:[\s.·_/–—-]{1,3}\p{Nd}+)*(?![\p{L}\p{Nd}])/gu
/** How many digits card numbers have, the usual ones first: an expiry may follow, and other digits may stand before. */
const LENGTHS = [16, 15, 14, 13, 19, 18, 17]

/** What was typed, with only the last four digits of a card number: none may get into an address, which browsers and servers keep. */
function withoutCardNumber(typed: string): string {
  const plain = typed.normalize('NFKC').replaceAll(/\p{Cf}/gu, '')
  const masked = plain.replaceAll(DIGITS, maskIn)
  return masked === plain ? typed : masked
}

function maskIn(found: string): string {
  const groups = [...found.matchAll(/\p{Nd}+/gu)]
  for (const length of LENGTHS)
    for (const [first, { index: start }] of groups.entries()) {
      let digits = ''
      for (const { 0: group, index } of groups.slice(first)) {
        digits += group
        if (digits.length >= length) {
          if (digits.length > length || !passesLuhn(asciiDigits(digits))) break
          return `${found.slice(0, start)}•••• ${digits.slice(-4)}${found.slice(index + group.length)}`
        }
      }
    }
  return found
}

/** The search of a list; `/` goes to it, and Enter leaves it for the rows. */
function SearchField({ placeholder, value, set }: SearchFieldProps): VNode {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const text = useSignal(value)
  useEffect(() => () => clearTimeout(timer.current), [])
  const search = () => {
    clearTimeout(timer.current)
    text.value = withoutCardNumber(text.value)
    set(text.value.trim().slice(0, MAX_LENGTH).trim())
  }
  useEffect(() => {
    // What a person is typing is newer than the address.
    if (document.activeElement !== input.current) text.value = value
  }, [value])
  useShortcuts([
    {
      key: '/',
      words: dataTexts.searchKey,
      run: () => {
        input.current?.focus()
        input.current?.select()
      },
    },
  ])
  return (
    <div class="search-field">
      <Icon name="search" />
      <input
        ref={input}
        type="search"
        class="control"
        aria-label={dataTexts.search}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
          clearTimeout(timer.current)
          timer.current = setTimeout(search, PAUSE_MS)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          search()
          event.currentTarget.blur()
        }}
      />
      <kbd>/</kbd>
    </div>
  )
}
