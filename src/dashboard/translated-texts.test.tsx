import { signal } from '@preact/signals'
import { render } from 'preact'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keepTranslatedTexts } from './translated-texts.ts'

/** A translation that can be told from its original. */
const translate = (text: string) => text.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase())

/** Ways in which translators replace a text of a page. */
const translators: Readonly<Record<string, (text: Text) => void>> = {
  'replaces texts by <font>, as Chrome does': (text) => text.replaceWith(font(font(translate(text.data)))),
  'adds <font> before a text and removes it, as Edge does': (text) => {
    text.before(font(translate(text.data)))
    text.remove()
  },
  'adds <font> behind a text and removes it': (text) => {
    text.after(font(translate(text.data)))
    text.remove()
  },
  'replaces texts by other texts, as Safari does': (text) => text.replaceWith(translate(text.data)),
  'writes into texts': (text) => (text.data = translate(text.data)),
}
const names = Object.keys(translators)

function font(child: Node | string): Element {
  const element = document.createElementNS('http://www.w3.org/1999/xhtml', 'font')
  element.append(child)
  return element
}

const page = signal<Page>({ count: 0, note: null, isDone: false, rows: [] })
const live = signal('held')

interface Page {
  count: number
  note: string | null
  isDone: boolean
  rows: readonly string[]
}

function Texts() {
  const { count, note, isDone, rows } = page.value
  return (
    <main>
      {note} <b>{count}</b> of {count + 1} <button type="button">{isDone ? 'captured' : 'capture'}</button>
      {isDone ? 'is done' : <em>open</em>}
      <ul>
        {rows.map((row) => (
          <li key={row}>
            {row}: <i>row</i>
          </li>
        ))}
      </ul>
      <p>{live}</p>
    </main>
  )
}

const root = document.createElement('div')
let stop: () => void
beforeEach(() => {
  document.body.replaceChildren(root)
  page.value = { count: 0, note: null, isDone: false, rows: ['one'] }
  live.value = 'held'
  render(<Texts />, root)
  stop = keepTranslatedTexts(root)
})
afterEach(() => {
  stop()
  render(null, root)
})

const settled = () => new Promise((resolve) => setTimeout(resolve))
const shown = () => translate(root.textContent).replaceAll(/\s+/g, ' ').trim()

/** What a page says that was never translated. */
function untranslated(): string {
  const other = document.createElement('div')
  render(<Texts />, other)
  const text = translate(other.textContent).replaceAll(/\s+/g, ' ').trim()
  render(null, other)
  return text
}

function textsIn(node: Node): Text[] {
  return [...node.childNodes].flatMap((child) => (child instanceof Text ? [child] : textsIn(child)))
}

function translateAll(name: string): void {
  for (const text of textsIn(root)) if (text.data.trim() !== '') translators[name]?.(text)
}

const CHANGES: readonly Partial<Page>[] = [
  { count: 1 },
  { isDone: true },
  { note: 'nothing was charged' },
  { rows: ['two', 'one', 'three'] },
  { note: null, isDone: false },
  { rows: ['three'] },
  { note: 'again', count: 2, isDone: true, rows: [] },
]

it.each(names)('a page says what it has to where a translator %s', async (name) => {
  for (const change of CHANGES) {
    translateAll(name)
    await settled()
    expect(shown()).toBe(untranslated())
    page.value = { ...page.value, ...change }
    live.value += '!'
    await settled()
    expect(shown()).toBe(untranslated())
  }
})

it.each(names)('a change at the same moment is not lost where a translator %s', async (name) => {
  for (const change of CHANGES) {
    translateAll(name)
    page.value = { ...page.value, ...change }
    live.value += '!'
    await settled()
    expect(shown()).toBe(untranslated())
  }
})

it.each(names)('a page that is removed leaves nothing where a translator %s', async (name) => {
  translateAll(name)
  await settled()
  render(null, root)
  await settled()
  expect(root.innerHTML).toBe('')
})

it.each<[string, (text: Text) => Node]>([
  ['the original', (text) => text],
  ['a copy of it', (text) => document.createTextNode(text.data)],
])('a page goes on after a translator shows %s again', async (_, shownAgain) => {
  const translations = textsIn(root).map((text) => {
    const translation = font(translate(text.data))
    const again = shownAgain(text)
    text.replaceWith(translation)
    return { translation, again }
  })
  await settled()
  for (const { translation, again } of translations) translation.replaceWith(again)
  await settled()
  expect(root.textContent).not.toBe(translate(root.textContent))
  expect(shown()).toBe(untranslated())
  page.value = { ...page.value, count: 7, isDone: true, note: 'later' }
  await settled()
  expect(shown()).toBe(untranslated())
})

it('a text that an extension removes stays away until it says something else', async () => {
  root.querySelector('button')?.firstChild?.remove()
  await settled()
  expect(root.querySelector('button')?.textContent).toBe('')
  page.value = { ...page.value, isDone: true }
  await settled()
  expect(root.querySelector('button')?.textContent).toBe('captured')
})
