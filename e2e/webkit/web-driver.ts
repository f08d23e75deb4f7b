import { setTimeout as sleep } from 'node:timers/promises'
import * as v from 'valibot'

/** Key of an element in WebDriver's JSON (W3C WebDriver 2, 12.1). */
const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf'

const SessionId = v.object({ sessionId: v.string() })
const Element = v.pipe(
  v.object({ [ELEMENT_KEY]: v.string() }),
  v.transform((reference) => reference[ELEMENT_KEY]),
)
const Answer = v.object({ value: v.unknown() })

const WAIT_TIMEOUT_MS = 20_000

/** A browser that a driver has opened, controlled by those commands of W3C WebDriver that a payment needs. */
export class WebDriver {
  readonly #session: string

  private constructor(session: string) {
    this.#session = session
  }

  static async open(driverUrl: string, capabilities: object): Promise<WebDriver> {
    const request = { capabilities: { alwaysMatch: capabilities } }
    const answer = await soon(() => ask('POST', `${driverUrl}/session`, request))
    return new WebDriver(`${driverUrl}/session/${v.parse(SessionId, answer).sessionId}`)
  }

  async goTo(url: string): Promise<void> {
    await this.#do('url', { url })
  }

  /** The element, as soon as it exists in the page or frame. */
  async find(css: string): Promise<string> {
    return soon(async () =>
      v.parse(Element, await this.#do('element', { using: 'css selector', value: css })),
    )
  }

  /** Sends the commands that follow to the document in that frame, until `enterPage`. */
  async enterFrame(css: string): Promise<void> {
    await this.#do('frame', { id: { [ELEMENT_KEY]: await this.find(css) } })
  }

  async enterPage(): Promise<void> {
    await this.#do('frame', { id: null })
  }

  async click(css: string): Promise<void> {
    const element = await this.find(css)
    await soon(() => this.#do(`element/${element}/click`, {}))
  }

  /** Clicks into the input and types; WebKit sends no keys to a frame that was never clicked into. */
  async type(css: string, text: string): Promise<void> {
    await this.click(css)
    await this.#do(`element/${await this.find(css)}/value`, { text })
  }

  /** The value of an expression in the document. */
  async ask(expression: string): Promise<unknown> {
    return this.#do('execute/sync', { script: `return ${expression}`, args: [] })
  }

  /** What is on the screen, as a PNG file's content. */
  async picture(): Promise<Buffer> {
    return Buffer.from(v.parse(v.string(), await ask('GET', `${this.#session}/screenshot`)), 'base64')
  }

  async close(): Promise<void> {
    await ask('DELETE', this.#session)
  }

  #do(command: string, parameters: object): Promise<unknown> {
    return ask('POST', `${this.#session}/${command}`, parameters)
  }
}

async function ask(method: string, url: string, parameters?: object): Promise<unknown> {
  const body = parameters === undefined ? {} : { body: JSON.stringify(parameters) }
  const response = await fetch(url, { method, ...body })
  const { value } = v.parse(Answer, await response.json())
  if (!response.ok) throw new Error(`${method} ${url}: ${JSON.stringify(value)}`)
  return value
}

/** Tries until it works, as the page may not be loaded yet. */
async function soon<Result>(attempt: () => Promise<Result>): Promise<Result> {
  const end = Date.now() + WAIT_TIMEOUT_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > end) throw error
      await sleep(100)
    }
  }
}
