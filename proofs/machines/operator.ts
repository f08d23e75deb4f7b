import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import * as v from 'valibot'
import type { Keys } from './service-process.ts'

/** The service that the operator's commands are for. */
interface Place {
  databaseUrl: string
  vaultKeys: string
}

/** Runs the built `svc vault rotate`, which throws unless nothing is left under another key. */
export async function rotateVault(databaseUrl: string, vaultKeys: string): Promise<void> {
  await operate({ databaseUrl, vaultKeys }, ['vault', 'rotate'])
}

const Made = v.object({ merchant_id: v.string(), public_key: v.string(), secret_key: v.string() })

/** Makes a merchant with a sandbox gateway. */
export async function addMerchant(place: Place): Promise<Keys & { merchantId: string }> {
  const made = v.parse(
    Made,
    JSON.parse(await operate(place, ['merchants', 'add', '--name', 'Acme', '--pre-auth', '--json'])),
  )
  return { merchantId: made.merchant_id, publicKey: made.public_key, secretKey: made.secret_key }
}

/** An account at a gateway, whose server is on this machine. */
interface GatewayAccount {
  type: 'adyen' | 'stripe'
  merchantAccount: string
  url: string
  apiKey: string
}

/** Gives a merchant a gateway; returns its id. */
export async function addGateway(place: Place, merchantId: string, account: GatewayAccount): Promise<string> {
  const where = ['--merchant-account', account.merchantAccount, '--url', account.url]
  const command = ['gateways', 'add', merchantId, account.type, ...where, '--json']
  const answer: unknown = JSON.parse(await operate(place, command, `${account.apiKey}\n`))
  return v.parse(v.object({ gateway_id: v.string() }), answer).gateway_id
}

/** Gateways that sign alone have no user and password. */
const Shown = v.object({ user: v.optional(v.string(), ''), password: v.optional(v.string(), '') })

/** Sets the notifications of a gateway account up, with a key that the gateway has made; returns user and password. */
export async function setUpNotifications(
  place: Place,
  [merchantId, gatewayId]: readonly [string, string],
  signingKey: string,
): Promise<{ user: string; password: string }> {
  const command = ['gateways', 'notifications', merchantId, gatewayId]
  const shown = v.parse(Shown, JSON.parse(await operate(place, [...command, '--json'])))
  await operate(place, [...command, '--signing-key'], `${signingKey}\n`)
  return shown
}

/** Enters of an attempt, eight days old, that the gateway never received it. */
export async function enterNotCarriedOut(place: Place, attemptId: string): Promise<void> {
  await operate(place, ['outcomes', 'enter', attemptId, '--not-carried-out'])
}

const Rolled = v.object({ secret_key: v.string(), ended: v.array(v.object({ key_id: v.string() })) })

/** Makes a merchant a new secret key; the old one works a minute longer. Returns both, the old one by its id. */
export async function rollSecretKey(
  place: Place,
  merchantId: string,
): Promise<{ secretKey: string; endedId: string }> {
  const command = ['keys', 'roll', merchantId, '--kind', 'secret', '--overlap', '1m', '--json']
  const { secret_key: secretKey, ended } = v.parse(Rolled, JSON.parse(await operate(place, command)))
  return { secretKey, endedId: ended.at(-1)?.key_id ?? '' }
}

export async function revokeKey(place: Place, id: string): Promise<void> {
  await operate(place, ['keys', 'revoke', id])
}

/** Runs a command and returns what it prints; throws where it fails. */
async function operate({ databaseUrl, vaultKeys }: Place, parameters: string[], input = ''): Promise<string> {
  const env = { ...process.env, SVC_DATABASE_URL: databaseUrl, SVC_VAULT_KEYS: vaultKeys }
  const running = promisify(execFile)(process.execPath, ['dist/service/svc.js', ...parameters], { env })
  running.child.stdin?.end(input)
  return (await running).stdout
}
