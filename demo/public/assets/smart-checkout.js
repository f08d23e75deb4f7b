import { askShop } from './ask-shop.js'
import { followTheme } from './card-theme.js'

/** The shop's copy of the card service's loader. */
const LOADER = '/assets/load-sdk.js'

const container = document.querySelector('#checkout')
const message = document.querySelector('#message')
const again = document.querySelector('#again')
const { token, sdkUrl, sdkIntegrity } = container.dataset
const { nonce } = document.querySelector('script[nonce]')

function tell(words) {
  message.textContent = words
  message.hidden = words === ''
  again.hidden = words === ''
  if (words !== '') message.scrollIntoView({ block: 'nearest' })
}

/** The shop's server asks the card service whether the checkout is paid, as a page can't be trusted. */
async function placeOrder({ intent_id }) {
  const { ok, answer } = await askShop('/api/checkouts/paid', { intent_id })
  if (ok && answer.placed) location.assign(`/orders/${answer.reference}`)
  else tell(answer.message)
}

/** A form that is shown reports its failures itself. */
function tellFailure() {
  const isThere = container.querySelector('iframe') !== null
  tell(isThere ? '' : 'The payment form could not be shown. Start again: this order is paid once at most.')
}

function showCheckout(svc) {
  const checkout = new svc.Checkout(container, token)
    .onPaymentSuccessful(placeOrder)
    .onPaymentFailure(tellFailure)
    .onPaymentExpired(() => tell('Your order has waited too long for its payment. Nothing was charged.'))
  checkout.setLanguage(document.documentElement.lang)
  followTheme(checkout)
}

try {
  const { loadSdk } = await import(LOADER)
  showCheckout(await loadSdk(sdkUrl, { integrity: sdkIntegrity, nonce }))
} catch {
  tell(
    'The card form did not arrive as it was made, or not at all, so we have not used it. Nothing was charged. Start again in a moment.',
  )
}
