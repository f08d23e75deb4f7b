import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

/** A client of a stream of server-sent events, in place of a browser's. */
export interface EventSourceDouble {
  status: number
  headers: IncomingMessage['headers']
  /** Whole messages so far, each with the fields that it has. */
  messages: () => Record<string, string>[]
  /** How many heartbeats have come. */
  beats: () => number
  isOver: () => boolean
  close: () => void
}

/** Opens a stream, and waits until its answer begins. */
export function openEvents(url: string, headers: Record<string, string>): Promise<EventSourceDouble> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers, agent: false }, (answer) => {
      let text = ''
      let isOver = false
      const blocks = () => text.split('\n\n').slice(0, -1)
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      answer.on('close', () => (isOver = true)).on('error', () => undefined)
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        messages: () =>
          blocks()
            .filter((block) => block.includes('data:'))
            .map((block) => Object.fromEntries(block.split('\n').map(fieldOf))),
        beats: () => blocks().filter((block) => block === ':').length,
        isOver: () => isOver,
        close: () => asked.destroy(),
      })
    })
    asked.on('error', reject).end()
  })
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon), line.slice(colon + 1).trimStart()]
}

/** Waits until `isSo`. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause(5)
}
