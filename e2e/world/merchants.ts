import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as v from 'valibot'
import { DASHBOARD_PORT, SERVICE_PORT } from './addresses.ts'
import { DATA_DIR } from './paths.ts'

const run = promisify(execFile)

const Made = v.pipe(
  v.object({ merchant_id: v.string(), public_key: v.string(), secret_key: v.string() }),
  v.transform(({ merchant_id: id, public_key: publicKey, secret_key: secretKey }) => ({
    id,
    publicKey,
    secretKey,
  })),
)

/** A merchant that a test has made. */
export type Merchant = v.InferOutput<typeof Made>

/** Makes a merchant by the operator's command; its gateway is the sandbox, and its forms may be shown by `origins`, or by all. */
export async function addMerchant(name: string, ...origins: string[]): Promise<Merchant> {
  const allowed = origins.flatMap((origin) => ['--origin', origin])
  return v.parse(Made, await operate('merchants', 'add', '--name', name, '--pre-auth', ...allowed))
}

/** The link by which a person joins a merchant's team, by the operator's command. */
export async function linkFor(
  merchant: Merchant,
  email: string,
  role: 'owner' | 'developer' | 'viewer',
): Promise<string> {
  return v.parse(v.object({ link: v.string() }), await operate('users', 'add', merchant.id, email, role)).link
}

const AddedGateway = v.object({ gateway_id: v.string() })
const Notifications = v.object({ user: v.string(), password: v.string() })

/** Gives a merchant an account at a stand-in for Adyen as its default gateway, which may send notifications signed by a key. */
export async function addAdyenAccount(
  merchant: Merchant,
  url: string,
  signingKey: string,
): Promise<{ gatewayId: string; user: string; password: string }> {
  const account = ['--merchant-account', 'Acme', '--url', url, '--default', '--json']
  const added = await operateWith('right\n', 'gateways', 'add', merchant.id, 'adyen', ...account)
  const { gateway_id: gatewayId } = v.parse(AddedGateway, JSON.parse(added))
  const notifications = ['gateways', 'notifications', merchant.id, gatewayId]
  const shown = v.parse(Notifications, await operate(...notifications))
  await operateWith(`${signingKey}\n`, ...notifications, '--signing-key')
  return { gatewayId, ...shown }
}

/** Runs one of the operator's commands, and returns what it shows. */
async function operate(...parameters: string[]): Promise<unknown> {
  return JSON.parse(await operateWith('', ...parameters, '--json'))
}

/** Runs one of the operator's commands with a secret on its standard input. */
async function operateWith(secret: string, ...parameters: string[]): Promise<string> {
  const environment = {
    SVC_PORT: String(SERVICE_PORT),
    SVC_DASHBOARD_PORT: String(DASHBOARD_PORT),
    SVC_DATA_DIR: DATA_DIR,
  }
  const running = run(process.execPath, ['dist/service/svc.js', ...parameters], {
    env: { ...process.env, ...environment },
  })
  running.child.stdin?.end(secret)
  return (await running).stdout
}
