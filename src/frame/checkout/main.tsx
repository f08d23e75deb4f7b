import '../theme.css'
import '../frame.css'
import '../layout.css'
import '../named-themes.css'
import './checkout.css'
import { CheckoutSetup } from '../../contract/checkout-setup.ts'
import { browserOf } from '../browser.ts'
import { setupIn } from '../setup-element.ts'
import { startCheckout } from './start-checkout.tsx'

const setup = setupIn(document, CheckoutSetup)
if (setup !== null) startCheckout({ ...browserOf(window), setup })
