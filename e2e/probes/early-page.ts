import { CARD_FORM_HEIGHT, frameHtml } from '../../src/contract/page/frame-html.ts'
import { SERVICE_URL } from '../world/addresses.ts'
import { demoKeys } from '../world/merchant-page.ts'
import { BUILT_RELEASE } from '../world/pinned-release.ts'
import { FILES } from './tables/early-frame.ts'
import type { EarlyProbe } from './tables/early-frame.ts'

/** Path of what the browser is to open. */
export const pathOf = ({ around }: EarlyProbe) => (around === undefined ? '/page' : '/around')

/** The files of a probe's page. Its `outcome()` resolves once the load has ended and the form was asked to submit. */
export function filesOf(probe: EarlyProbe): Record<string, string> {
  const same = (html: string) => html
  const { markup = same, page = same, before = '', around = '' } = probe
  const { load = "widget.load().then(() => 'afterLoad', ({ code }) => code)" } = probe
  const { public_key } = demoKeys()
  const early = frameHtml({
    origin: SERVICE_URL,
    release: BUILT_RELEASE,
    document: 'frame',
    query: { public_key, gateway_id: 'default', language: 'en' },
    height: CARD_FORM_HEIGHT,
    isCustomised: false,
  })
  return {
    ...FILES,
    '/page':
      page(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A merchant</title><link rel="icon" href="data:,"></head>
      <body><h1>Pay</h1><div id="card">${markup(early)}</div><script src="/watch.js"></script>
      <script src="${SERVICE_URL}/sdk/latest/widget.umd.min.js"></script><script src="/page.js"></script></body></html>`),
    '/watch.js': `${WATCH}; { ${before} }`,
    '/page.js': `const key = '${public_key}'
      const widget = new svc.HtmlWidget(container, key)
      let ended
      try { ${load.startsWith('{') ? load : `ended = ${load}`} } catch (error) { thrown.push(String(error)) }
      if (parent !== window) outcome().then((seen) => parent.postMessage({ seen }, '*'))`,
    '/around': `<script>const seen = new Promise((done) => addEventListener('message', ({ data }) => { if (data.seen) done(data.seen) }))
      const outcome = () => seen</script>${around.replace('#', '/page')}`,
  }
}

const WATCH = `
  const thrown = [], stolen = [], lines = []
  let container = document.querySelector('#card')
  const early = container.querySelector('iframe')
  const print = console.error
  console.error = (line) => { lines.push(String(line)); print(line) }
  addEventListener('error', ({ message }) => thrown.push(message))
  addEventListener('unhandledrejection', ({ reason }) => thrown.push(String(reason)))
  addEventListener('message', ({ data }) => { if (data.stolen) stolen.push(data.stolen) })
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => thrown.push(effectiveDirective))
  const within = (work, ms) => Promise.race([work, new Promise((done) => setTimeout(done, ms, 'no answer'))])
  const outcome = async () => {
    let end = await within(ended, 19000)
    if (end === 'afterLoad') {
      const answer = widget.on('validationError')
      // A document on its way out hears nothing: the one that comes in its place is asked, too.
      const asking = setInterval(() => widget.trigger('submit_form'), 200)
      end = (await within(answer, 3000)) === 'no answer' ? 'deaf' : 'answers'
      clearInterval(asking)
    }
    const [form, ...others] = container.querySelectorAll('iframe')
    // Where no form can work, it depends on the browser whether that is known before a frame is replaced.
    const told = end === 'page_sandboxed' ? 0 : lines.filter((line) => line.includes('frame_not_adopted')).length
    const kind = form === undefined ? 'none' : form === early ? 'early' : 'own'
    return [end, kind, told, ...others.map(() => 'one form more'), ...thrown, ...stolen.map((what) => 'stolen: ' + what)]
  }`
