import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from '@playwright/test'
import type { Frame, Page } from '@playwright/test'
import * as v from 'valibot'
import { LONG } from '../long-form.ts'
import { CardForm, GOOD_CARD } from '../pages/card-form.ts'
import { PAGE_URL } from '../world/addresses.ts'
import { demoKeys, serveMerchantPage, widgetPage, widgetScript } from '../world/merchant-page.ts'
import { DATA_DIR } from '../world/paths.ts'

let end: (() => Promise<void>) | undefined
test.afterEach(async () => {
  await end?.()
  end = undefined
})

const FAULT = "events.find((one) => one.event === 'systemError')?.error"
const Fault = v.object({ code: v.string(), message: v.string() })

/** The fault that the page's widget tells, once it does. */
async function faultIn(page: Page | Frame): Promise<v.InferOutput<typeof Fault>> {
  await expect.poll(() => page.evaluate(`${FAULT}?.code ?? ''`), { timeout: 20_000 }).not.toBe('')
  return v.parse(Fault, await page.evaluate(FAULT))
}

const serve = async (files: Record<string, string>, key = demoKeys().public_key) => {
  end = await serveMerchantPage({ files: { '/pay': widgetPage, '/page.js': widgetScript(key), ...files } })
}

const around = (attributes: string) => `<!doctype html><title>Around</title><iframe ${attributes}></iframe>`

const childOf = async (page: Page): Promise<Frame> => {
  await expect.poll(() => page.mainFrame().childFrames().length).toBe(1)
  const [child] = page.mainFrame().childFrames()
  if (child === undefined) throw new Error('There is no frame.')
  await child.waitForLoadState()
  return child
}

test('a page in a sandbox without an origin is told what its sandbox lacks', async ({ page }) => {
  await serve({ '/': around('sandbox="allow-scripts" src="/pay"') })
  await page.goto(PAGE_URL)
  expect(await faultIn(await childOf(page))).toMatchObject({
    code: 'page_sandboxed',
    message: expect.stringContaining('allow-same-origin'),
  })
})

test('an allowed page within one that is not allowed is told which one', async ({ page }) => {
  const command = [
    'dist/service/svc.js',
    'merchants',
    'add',
    '--name',
    'Nested',
    '--origin',
    PAGE_URL,
    '--json',
  ]
  const said = execFileSync(process.execPath, command, {
    env: { ...process.env, SVC_DATA_DIR: DATA_DIR },
    encoding: 'utf8',
  })
  const { public_key } = v.parse(v.object({ public_key: v.string() }), JSON.parse(said))
  const stranger = PAGE_URL.replace('localhost', '127.0.0.1')
  await serve({ '/': around(`src="${PAGE_URL}/pay"`) }, public_key)
  await page.goto(stranger)
  const fault = await faultIn(await childOf(page))
  expect(fault.code).toBe('origin_not_allowed')
  expect(fault.message).toContain(`${stranger} is not among`)
})

test('a page from the disk is told that it has to be served', { tag: LONG }, async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-page-'))
  try {
    const script = `<script>${widgetScript(demoKeys().public_key)}</script>`
    writeFileSync(join(folder, 'page.html'), widgetPage.replace('<script src="/page.js"></script>', script))
    await page.goto(pathToFileURL(join(folder, 'page.html')).href)
    expect(await faultIn(page)).toMatchObject({ code: 'page_from_disk' })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('an address that is not the service’s is told as that', { tag: LONG }, async ({ page }) => {
  const script = widgetScript(demoKeys().public_key, `widget.setEnv('sandbox', '${PAGE_URL}')`)
  await serve({ '/page.js': script })
  await page.goto(`${PAGE_URL}/pay`)
  expect(await faultIn(page)).toMatchObject({ code: 'not_the_service' })
})

test('a container of another window is refused in words; moved into the page it shows the form', async ({
  page,
}) => {
  await serve({ '/other': '<!doctype html><title>Other</title><div id="card"></div>' })
  await page.goto(`${PAGE_URL}/pay`)
  const told = await page.evaluate<string>(`new Promise((resolve) => {
    const other = Object.assign(document.createElement('iframe'), { src: '/other', title: 'other' })
    other.onload = () => {
      window.container = other.contentDocument.querySelector('#card')
      try {
        new svc.HtmlWidget(window.container, 'pk').load()
      } catch (error) {
        resolve(error.message)
      }
    }
    document.body.append(other)
  })`)
  expect(told).toContain('That element is in another window.')
  await page.evaluate(`{
    document.body.append(Object.assign(window.container, { id: 'moved' }))
    new svc.HtmlWidget(window.container, '${demoKeys().public_key}').load()
  }`)
  const form = new CardForm(page, '#moved')
  await form.fill(GOOD_CARD)
})
