import { spawn } from 'node:child_process'
import type { StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import { WEBKIT_PORT } from '../world/addresses.ts'
import { WebDriver } from './web-driver.ts'

const DRIVER = '/usr/bin/WebKitWebDriver'
const SCREEN = '/usr/bin/Xvfb'

/** Whether Debian's WebKit can be used here: by its own driver, on a virtual screen. */
export const hasWebKit = existsSync(DRIVER) && existsSync(SCREEN)

/** Opens WebKit for `work`, and closes it and its helper programs afterwards, even when `work` fails. */
export async function withWebKit(work: (browser: WebDriver) => Promise<void>): Promise<void> {
  const screen = start(SCREEN, ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'])
  const driver = start(DRIVER, [`--port=${WEBKIT_PORT}`], { DISPLAY: `:${await screen.said()}` })
  try {
    const browser = await WebDriver.open(`http://127.0.0.1:${WEBKIT_PORT}`, {})
    try {
      await work(browser)
    } finally {
      await browser.close()
    }
  } finally {
    await driver.stop()
    await screen.stop()
  }
}

function start(program: string, parameters: readonly string[], environment: Record<string, string> = {}) {
  const stdio: StdioOptions = ['ignore', 'ignore', 'ignore', 'pipe']
  const child = spawn(program, parameters, { stdio, env: { ...process.env, ...environment } })
  const ended = once(child, 'exit')
  return {
    /** The first that it says by its fourth descriptor. */
    async said(): Promise<string> {
      const line = child.stdio[3]
      if (!(line instanceof Readable)) throw new Error(`${program} has no line to speak by`)
      const said: unknown[] = await once(line, 'data')
      return String(said[0]).trim()
    },
    async stop(): Promise<void> {
      child.kill()
      await ended
    },
  }
}
