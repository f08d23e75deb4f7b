import { askShop } from '../ask-shop.js'
import { chargeRow } from './charge-row.js'

const rows = document.querySelector('#charges')
const news = document.querySelector('#news')
const empty = document.querySelector('#empty')
const more = document.querySelector('#more')
let next = null

function tell(words, kind) {
  news.textContent = words
  news.dataset.kind = kind
}

/** Captures or cancels, then shows the charge as it is now, or why it was refused. */
async function act(row, charge, action, body) {
  for (const button of row.querySelectorAll('button')) button.disabled = true
  tell('Asking the card service…', 'wait')
  const { ok, answer } = await askShop(`/api/charges/${charge.id}/${action}`, body)
  if (ok) {
    const changed = chargeRow(answer, act)
    row.replaceWith(changed)
    // The pressed button was removed, so the focus moves to its row.
    changed.tabIndex = -1
    changed.focus()
    tell(`Order ${answer.reference ?? answer.id} is ${answer.status} now.`, 'good')
    return
  }
  for (const button of row.querySelectorAll('button')) button.disabled = false
  tell(answer.message, 'bad')
}

async function load(cursor) {
  const { ok, answer } = await askShop(`/api/charges${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''}`)
  if (!ok) return tell(answer.message, 'bad')
  const made = answer.charges.map((charge) => chargeRow(charge, act))
  if (cursor) rows.append(...made)
  else rows.replaceChildren(...made)
  next = answer.next
  more.hidden = next === null
  empty.hidden = rows.children.length > 0
}

document.querySelector('#refresh').addEventListener('click', async () => {
  tell('', 'wait')
  await load()
})
more.addEventListener('click', () => load(next))
load()
