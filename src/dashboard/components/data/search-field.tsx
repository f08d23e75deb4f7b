import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { VNode } from 'preact'
import { asciiDigits, passesLuhn } from '../../../card/digits.ts'
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
/** What a search may have; what is pasted may be a whole message. */
const MAX_LENGTH = 250

/** Digits in groups, as numbers of cards are printed, typed and copied. */
const DIGITS = /(?<![\p{L}\p{Nd}])\p{Nd}+(?:[\s.·_/–—-]{1,3}\p{Nd}+)*(?![\p{L}\p{Nd}])/gu
/** How many digits card numbers have, the usual ones first: an expiry may follow, and other digits may stand before. */
const LENGTHS = [16, 15, 14, 13, 19, 18, 17]

/** What was typed, with only the last four digits of a card number: none may get into an address, which browsers and servers keep. */
export function withoutCardNumber(typed: string): string {
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
export function SearchField({ placeholder, value, set }: SearchFieldProps): VNode {
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
