import * as v from 'valibot'
import { SearchEntries } from '../contract/docs/search-entry.ts'
import type { SearchEntry } from '../contract/docs/search-entry.ts'
import { element } from './elements.ts'
import { partsOf, plain, createSearch } from './find-entries.ts'
import type { Found } from './find-entries.ts'

/** More than this nobody reads; who looks for something else types another word. */
const MOST_SHOWN = 30

/** A screen reader hears how many there are once one stops typing. */
const QUIET_MS = 500

const KIND_WORDS: Readonly<Record<SearchEntry['kind'], string>> = {
  page: 'Page',
  section: 'Section',
  operation: 'Operation',
  object: 'Object',
  field: 'Field',
  error: 'Error',
  event: 'Event',
}

type Search = (query: string) => Found

/** Opens a search over everything by the button in the header, `/`, Ctrl-K or ⌘K. */
export function addSearch(page: Document): void {
  const opener = page.querySelector<HTMLAnchorElement>('a.find')
  if (opener === null || !('showModal' in HTMLDialogElement.prototype)) return
  const open = createDialog(page)
  opener.setAttribute('role', 'button')
  opener.setAttribute('aria-haspopup', 'dialog')
  opener.setAttribute('aria-keyshortcuts', '/ Control+K Meta+K')
  opener.append(element('kbd', { 'aria-hidden': 'true' }, '/'))
  opener.addEventListener('click', (event) => {
    // With a modifier it opens the list in a tab of its own, as every link.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    open()
  })
  opener.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return
    event.preventDefault()
    open()
  })
  page.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
    const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey
    const isLetter = ['k', 'K'].includes(event.key) && (event.ctrlKey || event.metaKey) && !event.altKey
    if (!isSlash && !isLetter) return
    event.preventDefault()
    open()
  })
}

/** The dialog and its parts, not yet in a page. */
function dialogParts() {
  const input = element('input', {
    type: 'search',
    role: 'combobox',
    'aria-label': 'Search the documentation',
    'aria-expanded': 'false',
    'aria-controls': 'search-results',
    'aria-autocomplete': 'list',
    placeholder: 'Operation, field, error …',
    autocomplete: 'off',
    autocapitalize: 'off',
    autocorrect: 'off',
    spellcheck: 'false',
    enterkeyhint: 'go',
    maxlength: '200',
  })
  const results = element('div', { id: 'search-results', role: 'listbox', 'aria-label': 'Results' })
  const hint = element('div', { class: 'hint' })
  const status = element('p', { role: 'status', class: 'unseen' })
  const closer = element('button', { type: 'button', class: 'close' }, 'Close')
  const dialog = element(
    'dialog',
    { class: 'search', 'aria-label': 'Search' },
    element('div', { class: 'ask' }, input, closer),
    hint,
    results,
    keysLine(),
    status,
  )
  return { dialog, input, closer, hint, results, status }
}

/** Puts the dialog into the page, and returns what opens it. */
function createDialog(page: Document): () => void {
  const { dialog, input, closer, hint, results, status } = dialogParts()
  page.body.append(dialog)
  const list = createList(input, results)
  let search: Search | undefined
  let telling: ReturnType<typeof setTimeout> | undefined

  function show(): void {
    const query = input.value.trim()
    const found = query === '' ? undefined : search?.(query)
    list.fill(found?.entries.slice(0, MOST_SHOWN) ?? [], query)
    hint.replaceChildren(...(query === '' ? firstWords() : found === undefined ? [] : hintOf(found, query)))
    clearTimeout(telling)
    telling = setTimeout(() => (status.textContent = found === undefined ? '' : countOf(found)), QUIET_MS)
  }
  async function load(): Promise<void> {
    if (search === undefined) hint.replaceChildren(element('p', {}, 'Loading …'))
    try {
      search ??= await loadSearch()
      show()
    } catch {
      const words =
        'The search could not be loaded. Check your connection and open it again, or look through '
      hint.replaceChildren(element('p', { role: 'alert' }, words, everything(), '.'))
    }
  }

  input.addEventListener('input', show)
  input.addEventListener('keydown', (event) => list.onKey(event))
  closer.addEventListener('click', () => dialog.close())
  // A press on what is around it closes it; the dialog's own parts fill it.
  dialog.addEventListener('mousedown', ({ target }) => {
    if (target === dialog) dialog.close()
  })
  // A link within the page leaves it open otherwise.
  results.addEventListener('click', ({ ctrlKey, metaKey, shiftKey }) => {
    if (!ctrlKey && !metaKey && !shiftKey) dialog.close()
  })
  return () => {
    if (!dialog.open) dialog.showModal()
    input.focus()
    input.select()
    void load()
  }
}

async function loadSearch(): Promise<Search> {
  const answer = await fetch('/docs/search.json')
  if (!answer.ok) throw new Error(`The entries were answered by ${String(answer.status)}`)
  return createSearch(v.parse(SearchEntries, await answer.json()))
}

/** The results: which one is chosen, by keys or by the pointer. */
function createList(input: HTMLInputElement, results: HTMLElement) {
  let chosen = -1
  const options = () => [...results.querySelectorAll('a')]

  function choose(at: number): void {
    const all = options()
    all[chosen]?.setAttribute('aria-selected', 'false')
    chosen = all.length === 0 ? -1 : (at + all.length) % all.length
    const option = all[chosen]
    if (option === undefined) {
      input.removeAttribute('aria-activedescendant')
      return
    }
    option.setAttribute('aria-selected', 'true')
    option.scrollIntoView({ block: 'nearest' })
    input.setAttribute('aria-activedescendant', option.id)
  }
  function fill(entries: readonly SearchEntry[], query: string): void {
    results.replaceChildren(...entries.map((entry, at) => optionOf(entry, query, at)))
    results.scrollTop = 0
    results.hidden = entries.length === 0
    input.setAttribute('aria-expanded', String(entries.length > 0))
    chosen = -1
    choose(0)
  }
  function onKey(event: KeyboardEvent): void {
    // While a text is composed, its keys are the input method's.
    if (event.isComposing) return
    const steps: Readonly<Record<string, () => void>> = {
      ArrowDown: () => choose(chosen + 1),
      ArrowUp: () => choose(chosen - 1),
      Enter: () => options()[chosen]?.click(),
    }
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    step()
  }
  return { fill, onKey }
}

function optionOf(entry: SearchEntry, query: string, at: number): HTMLElement {
  const { href, title, within, kind } = entry
  const attributes = {
    href,
    id: `search-result-${String(at)}`,
    role: 'option',
    'aria-selected': 'false',
    tabindex: '-1',
  }
  const words = within === '' ? KIND_WORDS[kind] : `${KIND_WORDS[kind]} · ${within}`
  return element(
    'a',
    attributes,
    element('span', { class: 'title' }, ...marked(title, query)),
    element('span', { class: 'kind' }, words),
    element('span', { class: 'excerpt' }, ...marked(excerptOf(entry, query), query)),
  )
}

/** The text, with what the query begins words of marked. */
function marked(text: string, query: string): (Node | string)[] {
  return excerptParts(text, query).map(({ words, isFound }) => (isFound ? element('mark', {}, words) : words))
}

function firstWords(): HTMLElement[] {
  return [
    element(
      'p',
      {},
      'Type what you look for: “refund”, “card_ccv”, “insufficient_scope”, “POST /v1/charges”. Or look through ',
      everything(),
      '.',
    ),
  ]
}

const everything = (): HTMLElement => element('a', { href: '/docs/find' }, 'everything that has a name')

function hintOf({ entries, isLoose }: Found, query: string): HTMLElement[] {
  if (entries.length === 0)
    return [
      element('p', { class: 'none' }, `Nothing is found for “${query}”.`),
      element('p', {}, 'Try one word, or another word for it. Or look through ', everything(), '.'),
    ]
  return isLoose ? [element('p', {}, 'Nothing has just these words. What is like them:')] : []
}

function countOf({ entries: { length } }: Found): string {
  if (length === 0) return 'Nothing found. Try one word, or another word for it.'
  return length === 1
    ? '1 result'
    : `${String(length)} results${length > MOST_SHOWN ? `, ${String(MOST_SHOWN)} are shown` : ''}`
}

function keysLine(): HTMLElement {
  const key = (name: string) => element('kbd', {}, name)
  return element(
    'p',
    { class: 'keys', 'aria-hidden': 'true' },
    key('↑'),
    key('↓'),
    ' choose ',
    key('Enter'),
    ' open ',
    key('Esc'),
    ' close',
  )
}

/** How many characters of an entry are shown, and how many of them stand before what was found. */
const SHOWN = 150
const BEFORE = 50

interface Part {
  words: string
  isFound: boolean
}

/** What begins a word as one of the query does. */
function beginningsOf(query: string): RegExp | undefined {
  const words = partsOf(plain(query))
  // The parts of a query are letters and digits alone.
  return words.length === 0 ? undefined : new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})`, 'giu')
}

/** The text of an entry, from shortly before the first word that was asked for. */
export function excerptOf({ text }: SearchEntry, query: string): string {
  const at = beginningsOf(query)?.exec(text)?.index ?? 0
  if (text.length <= SHOWN) return text
  const start = at <= BEFORE ? 0 : text.lastIndexOf(' ', at - BEFORE) + 1
  const end = start + SHOWN >= text.length ? text.length : text.lastIndexOf(' ', start + SHOWN)
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
}

/** A text in parts: what was asked for, and what is around it. */
export function excerptParts(text: string, query: string): Part[] {
  const beginnings = beginningsOf(query)
  if (beginnings === undefined) return [{ words: text, isFound: false }]
  const parts: Part[] = []
  let from = 0
  for (const { 0: words, index } of text.matchAll(beginnings)) {
    parts.push({ words: text.slice(from, index), isFound: false }, { words, isFound: true })
    from = index + words.length
  }
  return [...parts, { words: text.slice(from), isFound: false }]
}
