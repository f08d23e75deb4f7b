import { parseArgs } from 'node:util'
import { readConfig } from './config.ts'
import type { Config } from './config.ts'
import { createDatabase } from './database/database.ts'
import { runningPostgres } from './database/embedded-postgres.ts'
import { createIds } from './identifiers.ts'
import { createMerchantStore } from './merchants/merchant-store.ts'
import { createMerchants } from './merchants/merchants.ts'
import type { Merchants } from './merchants/merchants.ts'

const USAGE = `What an operator does beside a running service:

  npm run operator -- add-merchant --name "Acme" [--pre-auth] [--origin https://acme.example]...
      makes a merchant with a sandbox gateway and shows its keys, this once
  npm run operator -- pre-auth MERCHANT_ID on|off
      lets a merchant hold funds and capture later, or no longer
`

type Say = (text: string) => void

async function addMerchant(merchants: Merchants, parameters: string[], say: Say): Promise<number> {
  const { values } = parseArgs({
    args: parameters,
    options: {
      name: { type: 'string' },
      'pre-auth': { type: 'boolean', default: false },
      origin: { type: 'string', multiple: true, default: [] },
    },
  })
  if (values.name === undefined || !values.origin.every(isOrigin)) return 2
  const wish = { name: values.name, preAuth: values['pre-auth'], allowedOrigins: values.origin }
  const { merchant, gatewayId, publicKey, secretKey } = await merchants.make(wish, () => undefined)
  say(
    JSON.stringify(
      { merchant_id: merchant.id, gateway_id: gatewayId, public_key: publicKey, secret_key: secretKey },
      null,
      2,
    ),
  )
  return 0
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}

async function setPreAuth(merchants: Merchants, [id, wish]: string[], say: Say): Promise<number> {
  if (id === undefined || (wish !== 'on' && wish !== 'off')) return 2
  const isKnown = await merchants.setPreAuth(id, wish === 'on')
  say(
    isKnown
      ? `Pre-Auth is ${wish}; running services follow within 5 seconds.`
      : `There is no merchant ${id}.`,
  )
  return isKnown ? 0 : 1
}

function databaseOf({ databaseUrl, dataDir }: Config): string {
  const connectionString = databaseUrl ?? runningPostgres(dataDir)
  if (connectionString === null) throw new Error(`${dataDir} holds no database: start the service first`)
  return connectionString
}

/** One command of the operator; the exit code. */
async function operate([command, ...parameters]: string[], say: Say): Promise<number> {
  const commands = new Map([
    ['add-merchant', addMerchant],
    ['pre-auth', setPreAuth],
  ])
  const run = commands.get(command ?? '')
  if (run === undefined) return 2
  const config = readConfig()
  const database = createDatabase({
    connectionString: databaseOf(config),
    connections: 1,
    onIdleError: () => undefined,
  })
  const merchants = createMerchants({
    store: createMerchantStore(database),
    createId: createIds(Date.now),
    clock: Date.now,
    environment: config.environment,
  })
  try {
    return await run(merchants, parameters, say)
  } finally {
    await database.close()
  }
}

operate(process.argv.slice(2), (text) => process.stdout.write(`${text}\n`)).then(
  (code) => {
    if (code === 2) process.stderr.write(USAGE)
    process.exit(code)
  },
  (error: unknown) => {
    process.stderr.write(`svc: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
