import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import type { MessagePort } from 'node:worker_threads'
import { Window } from 'happy-dom'
import { vi } from 'vitest'
import type { DocumentKind } from '../frame-document.ts'

/** Builds a document and returns its English HTML, with the placeholder for the service's set-up. */
export function buildDocument({ name }: DocumentKind): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-built-document-'))
  try {
    const build = ['build', '--mode', name, '--outDir', folder, '--emptyOutDir', '--logLevel', 'error']
    execFileSync('node_modules/.bin/vite', build, { stdio: 'inherit' })
    return readFileSync(join(folder, `${name}.html`), 'utf8')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The page's end of a message channel to the document. */
interface PageLine {
  heard: () => unknown[]
  send: (message: unknown) => void
}

/** The service's answers: a status and a body for each request to an address. */
export type Answers = Record<string, () => { status: number; body: unknown }>

const CARD = {
  card_name: 'Grace Hopper',
  card_number: '5111111111111118',
  expiry: '01/39',
  card_ccv: '100',
}

/** Opens a built document in a simulated browser, with a set-up and answers of the service. */
function openDocument(html: string, setup: unknown, answers: Answers = {}) {
  const window = new Window({
    url: 'https://cards.example/',
    settings: { enableJavaScriptEvaluation: true, suppressInsecureJavaScriptEnvironmentWarning: true },
  })
  const ports: MessagePort[] = []
  const fetch = (url: string) => {
    const { status, body } = answers[url]?.() ?? { status: 500, body: null }
    return Promise.resolve(new Response(JSON.stringify(body), { status }))
  }
  Reflect.set(window, 'fetch', fetch)
  // Pauses between tries take no time.
  Reflect.set(window, 'setTimeout', (work: () => void) => setTimeout(work, 0))
  const text = JSON.stringify(setup).replaceAll('<', '\\u003c')
  window.document.write(html.replace('__SVC_SETUP__', () => text))
  return {
    document: window.document,
    /** Sends a welcome, valid or not, with a new port. */
    welcome(data: unknown): PageLine {
      const { port1, port2 } = new MessageChannel()
      ports.push(port1)
      const event = new window.Event('message')
      const parent: unknown = window.eval('parent')
      window.dispatchEvent(Object.assign(event, { data, source: parent, ports: [port2] }))
      const all: unknown[] = []
      const heard = () => {
        for (let next = receiveMessageOnPort(port1); next; next = receiveMessageOnPort(port1))
          all.push(next.message)
        return all
      }
      return { heard, send: (message) => port1.postMessage(message) }
    },
    typeCard(): void {
      for (const [id, value] of Object.entries(CARD)) {
        const input = window.document.querySelector(`#${id}`)
        if (!(input instanceof window.HTMLInputElement)) throw new Error(`There is no input ${id}.`)
        input.value = value
        input.dispatchEvent(new window.InputEvent('input', { inputType: 'insertFromPaste', bubbles: true }))
      }
    },
    press(): void {
      window.document.querySelector('form')?.dispatchEvent(new window.Event('submit', { cancelable: true }))
    },
    click(selector: string): void {
      window.document
        .querySelector(selector)
        ?.dispatchEvent(new window.MouseEvent('click', { bubbles: true }))
    },
    async until(selector: string): Promise<void> {
      await vi.waitFor(() => {
        if (!window.document.querySelector(selector)) throw new Error(`There is no ${selector}.`)
      })
    },
    async close(): Promise<void> {
      for (const port of ports) port.close()
      await window.happyDOM.close()
    },
  }
}

const opened: ReturnType<typeof openDocument>[] = []

/** Like `openDocument`, and closed by `closeDocuments`. */
export function open(...parameters: Parameters<typeof openDocument>): ReturnType<typeof openDocument> {
  const page = openDocument(...parameters)
  opened.push(page)
  return page
}

export async function closeDocuments(): Promise<void> {
  for (const page of opened.splice(0)) await page.close()
}
