import { readFileSync } from 'node:fs'
import type { Frame, Page } from '@playwright/test'
import * as v from 'valibot'
import type { CardForm } from '../pages/card-form.ts'
import type { CardField, CardProbe, Fault, FillProbe, KeyProbe, PasteProbe, Shown } from './tables/probe.ts'
import type { Outcome } from './report.ts'

const WORDS = v.parse(
  v.record(v.string(), v.string()),
  JSON.parse(readFileSync('src/frame/languages/en.json', 'utf8')),
)
/** Characters that a name may have. */
const LONGEST_NAME = '100'
const named = /\{([A-Za-z+]+)\}/
const CHORDS: Readonly<Record<string, string>> = {
  SelectAll: 'Control+a',
  Undo: 'Control+z',
  Redo: 'Control+Shift+z',
}

/** Does probes in one card form, one after the other, as a person and a browser do them. */
export class Typist {
  readonly #page: Page
  readonly #form: CardForm
  readonly #frame: Frame

  constructor(page: Page, form: CardForm) {
    const frame = page.frames()[1]
    if (frame === undefined) throw new Error('the page has no form')
    this.#page = page
    this.#form = form
    this.#frame = frame
  }

  /** Presses keys in an empty form. */
  async type(field: CardField, [keys, shown, fault = '']: KeyProbe): Promise<Outcome> {
    await this.#begin(field, keys)
    return this.#outcome({ did: `${field}: ${keys}`, field, shown: { [field]: shown }, fault })
  }

  /** Presses keys from the number on, wherever the focus goes by itself. */
  async typeOn([keys, [card_number, expiry, card_ccv], fault = '']: CardProbe): Promise<Outcome> {
    await this.#begin('card_number', keys)
    const shown = { card_number, expiry, card_ccv }
    return this.#outcome({ did: `typed on: ${keys}`, field: 'card_number', shown, fault })
  }

  /** Pastes by the clipboard. */
  async paste(field: CardField, [keys, text, shown, fault = '']: PasteProbe): Promise<Outcome> {
    const source = this.#page.locator('#clipboard')
    await source.fill(text)
    await source.selectText()
    await this.#page.keyboard.press('Control+c')
    await this.#begin(field, keys)
    await this.#page.keyboard.press('Control+v')
    return this.#outcome({
      did: `${field}: ${keys} and pasted ${text}`,
      field,
      shown: all(field, shown),
      fault,
    })
  }

  /** Puts in a text at once, as dictation does. */
  async dictate(field: CardField, [keys, text, shown, fault = '']: PasteProbe): Promise<Outcome> {
    await this.#begin(field, keys)
    await this.#page.keyboard.insertText(text)
    return this.#outcome({ did: `${field}: dictated ${text}`, field, shown: all(field, shown), fault })
  }

  /** Sets a value by code, with some events, then presses the form's button: what was told by no event is read then. */
  async fillIn([field, value, shown]: FillProbe, way: string, events: readonly string[]): Promise<Outcome> {
    await this.clear(field)
    await this.#form.frame.locator(`#${field}`).evaluate(
      (input: HTMLInputElement, { value, events }) => {
        input.value = value
        for (const name of events) input.dispatchEvent(new Event(name, { bubbles: true }))
      },
      { value, events },
    )
    await this.#form.submit.click()
    return this.#outcome({
      did: `${field} filled in with ${value} ${way}`,
      field,
      shown: { [field]: shown },
      fault: '',
    })
  }

  /** Empties the form, which was left, and comes to a field of it: then the form has heard of both. */
  async clear(field: CardField): Promise<void> {
    const name = field === 'expiry' ? 'expire_month' : field
    await this.#page.evaluate(`(widget.clear(), widget.focus('${name}'), widget.on('focus'))`)
  }

  async #begin(field: CardField, keys: string): Promise<void> {
    await this.clear(field)
    for (const [index, part] of keys.split(named).entries()) {
      if (index % 2 === 1) await this.#page.keyboard.press(CHORDS[part] ?? part)
      else if (part !== '') await this.#page.keyboard.type(part)
    }
  }

  /** Leaves the field, and reads what the form shows then. */
  async #outcome({ did, field, shown, fault }: Expected): Promise<Outcome> {
    const found = await this.#frame.evaluate(
      ({ field, fields }) => {
        const inputOf = (id: string) => document.querySelector<HTMLInputElement>(`#${id}`)
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
        const isFaulty = inputOf(field)?.getAttribute('aria-invalid') === 'true'
        const note = document.getElementById(`${field}-note`)?.textContent ?? ''
        return {
          shown: Object.fromEntries(fields.map((id) => [id, inputOf(id)?.value])),
          fault: isFaulty ? note : '',
        }
      },
      { field, fields: Object.keys(shown) },
    )
    return { did, expected: { shown, fault: wordsOf(fault) }, found }
  }
}

interface Expected {
  did: string
  field: CardField
  shown: Shown
  fault: Fault
}

const all = (field: CardField, shown: string | Shown): Shown =>
  typeof shown === 'string' ? { [field]: shown } : shown

function wordsOf(fault: Fault): string {
  const words = fault === '' ? '' : WORDS[fault]
  if (words === undefined) throw new Error(`no text is called ${fault}`)
  return words.replace('{hint}', WORDS['digits_any'] ?? '').replace('{longest}', LONGEST_NAME)
}
