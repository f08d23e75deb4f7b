import { spawn } from 'node:child_process'
import type { StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Readable } from 'node:stream'
import WebDriver from 'webdriver'
import type { Client } from 'webdriver'
import { WEBKIT_PORT } from '../world/addresses.ts'

declare module 'webdriver' {
  interface Client {
    /** Of W3C WebDriver; the package has the command, and leaves its type to WebdriverIO. */
    switchToFrame: (frame: Awaited<ReturnType<Client['findElement']>> | null) => Promise<void>
  }
}

const DRIVER = '/usr/bin/WebKitWebDriver'
const SCREEN = '/usr/bin/Xvfb'

/** How long the browser waits for an element that is looked for, and for one that is clicked to be ready. */
const WAIT_TIMEOUT_MS = 20_000

/** Whether Debian's WebKit can be used here: by its own driver, on a virtual screen. */
export const hasWebKit = existsSync(DRIVER) && existsSync(SCREEN)

/**
 * Opens WebKit for `work`, and closes it and its helper programs afterwards, even when `work` fails. Unless the strategy is `none`, each
 * command waits until all is loaded, in frames too.
 */
export async function withWebKit(
  work: (browser: Client) => Promise<void>,
  pageLoadStrategy: 'normal' | 'none' = 'normal',
): Promise<void> {
  const screen = start(SCREEN, ['-displayfd', '3', '-screen', '0', '1280x1000x24', '-nolisten', 'tcp'])
  const driver = start(DRIVER, [`--port=${WEBKIT_PORT}`], { DISPLAY: `:${await screen.said()}` })
  try {
    const browser = await WebDriver.newSession({
      hostname: '127.0.0.1',
      port: WEBKIT_PORT,
      logLevel: 'error',
      capabilities: {
        browserName: 'MiniBrowser',
        pageLoadStrategy,
        timeouts: { implicit: WAIT_TIMEOUT_MS, pageLoad: WAIT_TIMEOUT_MS, script: WAIT_TIMEOUT_MS },
        'wdio:enforceWebDriverClassic': true,
      },
    })
    try {
      await work(browser)
    } finally {
      await browser.deleteSession()
    }
  } finally {
    await driver.stop()
    await screen.stop()
  }
}

/** The element, as soon as it exists in the page or frame. */
export async function find(browser: Client, css: string): Promise<string> {
  const found = await browser.findElement('css selector', css)
  const key = 'element-6066-11e4-a52e-4f735466cecf'
  // The package answers an error where there is no such element, in place of throwing it.
  if (!(key in found)) throw new Error(`${css} is not in the page: ${JSON.stringify(found)}`)
  return found[key]
}

/** Sends the commands that follow to the document in that frame, until `switchToFrame(null)`. */
export async function enterFrame(browser: Client, css: string): Promise<void> {
  await browser.switchToFrame(await browser.findElement('css selector', css))
}

export async function click(browser: Client, css: string): Promise<void> {
  await browser.elementClick(await find(browser, css))
}

/** Clicks into the input and types; WebKit sends no keys to a frame that was never clicked into. */
export async function type(browser: Client, css: string, text: string): Promise<void> {
  await click(browser, css)
  await browser.elementSendKeys(await find(browser, css), text)
}

/** The value of an expression in the document. */
export async function ask(browser: Client, expression: string): Promise<unknown> {
  return browser.executeScript(`return ${expression}`, [])
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
