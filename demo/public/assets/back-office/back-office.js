import { askShop } from '../ask-shop.js'
import { chargeRow } from './charge-row.js'
import { replaceRow, setBusy, showList, tell } from './row-list.js'

/** Captures or cancels, then shows the charge as it is now, or why it was refused. */
async function act(row, charge, action, body) {
  setBusy(row, true)
  tell('Asking the card service…', 'wait')
  const { ok, answer } = await askShop(`/api/charges/${charge.id}/${action}`, body)
  if (ok) {
    replaceRow(row, chargeRow(answer, act))
    tell(`Order ${answer.reference ?? answer.id} is ${answer.status} now.`, 'good')
    return
  }
  setBusy(row, false)
  tell(answer.message, 'bad')
}

showList('/api/charges', ({ charges }) => charges.map((charge) => chargeRow(charge, act)))
