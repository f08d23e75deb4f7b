import { askShop } from './ask-shop.js'
import { followTheme } from './card-theme.js'

const form = document.querySelector('#checkout')
const message = document.querySelector('#message')
const progress = document.querySelector('#progress')
const { publicKey, gatewayId, total } = form.dataset

function tell(words) {
  message.textContent = words
  message.hidden = words === ''
  progress.textContent = ''
  if (words !== '') message.scrollIntoView({ block: 'nearest' })
}

/**
 * Sends the card's token. The shop's server knows the price and charges the card. After a refusal the shopper can try again,
 * with everything that was typed.
 */
async function placeOrder(widget) {
  tell('')
  progress.textContent = 'Asking your bank…'
  const order = Object.fromEntries(new FormData(form))
  let { ok, answer } = await askShop('/api/orders', order)
  if (answer.asks) {
    progress.textContent = 'Your bank wants to ask you…'
    await showBank(answer.asks)
    ;({ ok, answer } = await askShop('/api/orders/answered', { checkout: order.checkout }))
  }
  const isPaid = ok && answer.placed
  if (isPaid) location.assign(`/orders/${answer.reference}`)
  else {
    tell(answer.message)
    widget.focus('card_number')
  }
  return isPaid
}

/** Shows what the shopper's bank asks, until that has ended. The shop's server then finds out how: a page is no proof. */
async function showBank(asks) {
  const dress = (canvas) => {
    canvas.setEnv('sandbox').setLanguage(document.documentElement.lang)
    followTheme(canvas)
  }
  try {
    await svc.authenticate(asks, { prepare: dress })
  } catch (error) {
    console.error(error)
  }
}

function showCardForm() {
  const widget = new svc.HtmlWidget('#card', publicKey, gatewayId)
  widget.setEnv('sandbox')
  widget.setTexts({ submit_button: `Pay ${total}`, submit_button_processing: 'Paying…', finish_text: 'Paid' })
  widget.setSupportedCardIcons(['visa', 'mastercard', 'amex'])
  widget.setLanguage(document.documentElement.lang)
  followTheme(widget)
  widget.useAutoResize()
  widget.onFinishInsert('input[name="payment_source"]', 'payment_source')
  widget.on('submit', () => tell(''))
  // The form stays busy until the order is paid or declined.
  widget.on('finish', () => placeOrder(widget))
  // The form shows its own errors; this message is for a form that can't be shown.
  widget.load().catch((error) => tell(error.message))
}

if (window.svc) showCardForm()
else tell('The card form could not be loaded. Check your connection, then load this page again.')
