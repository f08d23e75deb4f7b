import { describe, expect, it, onTestFinished } from 'vitest'
import { openCheckout, paid, reply, session } from './checkout/testing/checkout-page.ts'
import { answer, createService, openFrame } from './testing/frame-page.ts'
import { pay, person } from './testing/person.ts'
import { readTranslation } from './testing/translations.ts'
import { messagesDelivered } from './testing/welcome.ts'

/** What a foreign script does to a text in the page. */
type Change = (text: Text) => void

const inFont = (text: string) => {
  const template = document.createElement('template')
  template.innerHTML = '<font><font></font></font>'
  const outer = template.content.firstElementChild ?? template
  if (outer.firstChild) outer.firstChild.textContent = `<${text}>`
  return outer
}

const CHANGES: [name: string, change: Change][] = [
  ['replaces each text, as translators do', (text) => text.replaceWith(inFont(text.data))],
  [
    'wraps each text, as extensions do that mark words',
    (text) => {
      const mark = document.createElement('mark')
      text.replaceWith(mark)
      mark.append(text)
    },
  ],
  [
    'splits each text',
    (text) => {
      if (text.data.length > 1) text.splitText(1)
    },
  ],
  ['removes each text', (text) => text.remove()],
  ['puts nodes around each text', (text) => text.replaceWith(document.createComment('x'), text, ' ')],
]

/** Does that to every text that a person can read. */
function changeTexts(change: Change): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) {
    const { currentNode } = walker
    if (currentNode instanceof Text && currentNode.data.trim() !== '') texts.push(currentNode)
  }
  for (const text of texts) change(text)
}

/** What a person can read, whatever elements it is in. */
const shown = () => document.body.textContent.trim()

/** By ids, as a changed label may say anything. */
const textOf = (selector: string) => document.querySelector(selector)?.textContent

async function typeInto(id: string, text: string): Promise<void> {
  const input = document.querySelector<HTMLInputElement>(`#${id}`)
  if (input === null) throw new Error(`There is no ${id}.`)
  await person.type(input, text)
}

async function fillCard(): Promise<void> {
  await typeInto('card_name', 'Grace Hopper')
  await typeInto('card_number', '5111111111111118')
  await typeInto('expiry', '0139')
  await typeInto('card_ccv', '100')
}

describe.each(CHANGES)('a script that %s', (_, change) => {
  it('leaves each new text of the form right: errors, their end, the alert, the button', async () => {
    const refusal = answer(400, { code: 'validation_error', message: 'm' })
    await openFrame({ send: createService(refusal, answer(201)).send })
    changeTexts(change)
    await pay()
    expect(textOf('#card_number-note')).toBe('Enter the card number.')
    changeTexts(change)
    await fillCard()
    expect(textOf('#card_number-note')).toBe('')
    changeTexts(change)
    await pay()
    expect(textOf('#form-alert')).toMatch(/were not accepted/)
    changeTexts(change)
    await typeInto('card_name', ' II')
    await pay()
    expect([textOf('#form-alert'), textOf('button[type=submit]')]).toEqual(['', 'Card details received'])
  })

  it('leaves a form that changes its language as it is without that script', async () => {
    const send: typeof globalThis.fetch = () =>
      Promise.resolve(new Response(JSON.stringify(readTranslation('fr').words)))
    const inFrench = async (before: () => void) => {
      const page = await openFrame({ send, settings: { texts: { title: 'Card' } } })
      before()
      page.command({ command: 'set', settings: { language: 'fr', texts: { title: 'Carte' } } })
      await messagesDelivered()
      return shown()
    }
    onTestFinished(() => document.documentElement.removeAttribute('lang'))
    const plain = await inFrench(() => undefined)
    expect(await inFrench(() => changeTexts(change))).toBe(plain)
  })

  it('leaves a checkout right: a decline, its end, and the result', async () => {
    const payments = [reply(422, 'transaction_declined'), paid]
    await openCheckout({ sessions: [session()], payments })
    changeTexts(change)
    await fillCard()
    await pay()
    expect(textOf('#form-alert')).toMatch(/declined/)
    changeTexts(change)
    await typeInto('card_ccv', '100')
    await pay()
    expect(textOf('h2')).toBe('Payment received')
  })
})
