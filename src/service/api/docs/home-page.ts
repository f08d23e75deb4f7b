import { markup } from '../../platform/markup.ts'
import type { DocsPage, MenuGroup } from './page-shell.ts'

/** What a reader comes for most, and where it is. */
const QUESTIONS = [
  ['How do I take a first payment?', '/docs/guides/first-payment'],
  ['How do I authorise, and capture later?', '/docs/reference/charges#createCharge'],
  ['What does each field mean?', '/docs/reference/charges#object-Charge'],
  ['What do I do with each error?', '/docs/errors'],
  ['How do I test?', '/docs/guides/testing'],
  ['How do I verify a webhook?', '/docs/guides/webhooks#receiving'],
  ['What must I do to go live?', '/docs/guides/going-live'],
  ['What do I owe PCI DSS?', '/docs/guides/pci-dss'],
] as const

/** The page at `/docs`: the questions that are asked most, then everything. */
export function homePage(menu: readonly MenuGroup[], pages: readonly DocsPage[]): DocsPage {
  const summaryOf = (path: string) => pages.find((page) => page.path === path)?.summary
  return {
    path: '/docs',
    title: 'Documentation',
    summary: 'How to take cards with this service: guides, and every operation.',
    parts: [],
    body: markup`<h1>Take cards without touching them</h1>
<p class="lead">A card form of this service stands in your page and hands back a one-time token. Your server charges it: hold the
funds, take them, release them, give them back.</p>
<ul class="questions">${QUESTIONS.map(([question, path]) => markup`<li><a href="${path}">${question}</a></li>`)}</ul>
${menu.map(
  ({ title, pages: own }) =>
    markup`<h2>${title}</h2><dl class="pages" data-unsearched>${own.map(
      (page) =>
        markup`<div><dt><a href="${page.path}">${page.title}</a></dt><dd>${summaryOf(page.path)}</dd></div>`,
    )}</dl>`,
)}
<h2>For machines</h2>
<p><a href="/openapi.json">openapi.json</a>: OpenAPI 3.1, with every operation, field, error and webhook.</p>`,
  }
}
