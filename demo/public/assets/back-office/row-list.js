import { askShop } from '../ask-shop.js'

const rows = document.querySelector('#rows')
const news = document.querySelector('#news')
const empty = document.querySelector('#empty')
const more = document.querySelector('#more')

/** Shows in the page what happened; `kind`: `good`, `bad` or `wait`. */
export function tell(words, kind) {
  news.textContent = words
  news.dataset.kind = kind
}

/** Disables the buttons of a row while the card service is asked, or enables them again. */
export function setBusy(row, isBusy) {
  for (const button of row.querySelectorAll('button')) button.disabled = isBusy
}

/** Shows the changed row in place of the old one. The pressed button is gone with it, so the focus moves to the row. */
export function replaceRow(row, changed) {
  row.replaceWith(changed)
  changed.tabIndex = -1
  changed.focus()
}

/**
 * Shows one of the shop's lists page by page. `rowsOf` makes the rows of an answer, `query` returns the filters. Returns the function
 * that shows the list again from the beginning.
 */
export function showList(path, rowsOf, query = () => ({})) {
  let next = null
  let turn = 0
  async function load(cursor) {
    turn += 1
    const mine = turn
    const asked = new URLSearchParams({ ...query(), ...(cursor && { cursor }) })
    const { ok, answer } = await askShop(`${path}?${asked}`)
    // The answer is dropped if something else was asked for meanwhile.
    if (mine !== turn) return
    if (!ok) return tell(answer.message, 'bad')
    if (cursor) rows.append(...rowsOf(answer))
    else rows.replaceChildren(...rowsOf(answer))
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
  return () => load()
}
