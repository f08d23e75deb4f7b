import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { VNode } from 'preact'
import { useShortcuts } from '../../keyboard/use-shortcuts.ts'
import { Icon } from '../icon.tsx'
import { dataTexts } from './texts.ts'
import './filters-bar.css'

interface SearchFieldProps {
  placeholder: string
  value: string
  /** Called when the person has stopped typing. */
  set: (text: string) => void
}

/** How long a person does not type before the list is searched. */
const PAUSE_MS = 300

/** The search of a list; `/` goes to it, and Enter leaves it for the rows. */
export function SearchField({ placeholder, value, set }: SearchFieldProps): VNode {
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const text = useSignal(value)
  useEffect(() => () => clearTimeout(timer.current), [])
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
          timer.current = setTimeout(() => set(text.value.trim()), PAUSE_MS)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          clearTimeout(timer.current)
          set(text.value.trim())
          event.currentTarget.blur()
        }}
      />
      <kbd>/</kbd>
    </div>
  )
}
