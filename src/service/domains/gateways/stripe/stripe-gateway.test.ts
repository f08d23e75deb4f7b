import { testGatewayContract } from '../testing/gateway-contract.ts'
import { openStripeBed } from './testing/stripe-bed.ts'

testGatewayContract('Stripe', openStripeBed)
