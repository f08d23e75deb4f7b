import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { addBackOfficeRoutes } from './orders/back-office-routes.ts'
import { createAccessTokens } from './card-service/access-token.ts'
import { createAgreements } from './card-service/agreements.ts'
import { addBankRoutes } from './bank/bank-routes.ts'
import { createSandboxBank } from './bank/sandbox-bank.ts'
import { createCardService } from './card-service/card-service.ts'
import { addFaultAnswers } from './pages/fault-answer.ts'
import { OrderBook } from './orders/order-book.ts'
import { addOrderRoutes } from './orders/order-routes.ts'
import { addPageHeaders } from './pages/page-headers.ts'
import { addPageRoutes } from './pages/page-routes.ts'
import { requireOwnHost } from './pages/request-origin.ts'
import { builtSdkFolder, createPages, publicFolder } from './pages/pages.ts'
import { createKeyReader } from './card-service/shop-keys.ts'
import { addSmartCheckoutRoutes } from './orders/smart-checkout-route.ts'
import { addSubscriptionRoutes } from './subscriptions/subscription-routes.ts'
import { Subscriptions } from './subscriptions/subscriptions.ts'

/** The merchant's server, ready to listen. `keysFile` holds the merchant's keys, written by the card service. */
export async function createShopServer(keysFile: string): Promise<FastifyInstance> {
  const app = fastify({ logger: { level: 'error' }, forceCloseConnections: true })
  const keys = createKeyReader(keysFile)
  const cards = createCardService(keys)
  const page = createPages(publicFolder())

  app.addHook('onRequest', requireOwnHost)
  addPageHeaders(app, keys)
  addFaultAnswers(app, page)
  await app.register(fastifyStatic, { root: join(publicFolder(), 'assets'), prefix: '/assets/' })
  const orders = new OrderBook(cards)
  app.get('/assets/load-sdk.js', (_, reply) => reply.sendFile('load-sdk.mjs', builtSdkFolder()))
  addPageRoutes(app, { page, keys })
  addSmartCheckoutRoutes(app, { page, orders })
  addOrderRoutes(app, orders)
  addBackOfficeRoutes(app, cards)
  addSubscriptionRoutes(app, new Subscriptions(createAgreements(createAccessTokens(keys))))
  addBankRoutes(app, { page: createPages(publicFolder(), 'bank-layout'), bank: createSandboxBank(keys) })
  return app
}
