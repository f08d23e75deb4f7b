import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { ComponentChildren, TargetedEvent, VNode } from 'preact'
import { useApp } from '../../app-context.ts'
import { hrefWith } from '../../router/query.ts'
import { Button } from '../actions/button.tsx'
import type { Option } from '../form/select.tsx'
import { Icon } from '../icon.tsx'
import { SearchField, withoutCardNumber } from './search-field.tsx'
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
