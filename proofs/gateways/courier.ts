import { setTimeout as sleep } from 'node:timers/promises'
import type { NotificationSecrets } from '../../src/service/domains/gateways/gateway.ts'
import type { Parcel, TellingGateway } from '../../src/service/domains/gateways/testing/telling-gateway.ts'
import type { HttpApi } from '../merchant/http-api.ts'

/** A gateway with the account that is connected there. */
export interface Station {
  gateway: TellingGateway
  gatewayId: string
  secrets: NotificationSecrets
  /** What proves the notifications of another merchant's account. */
  secretsOfOther: NotificationSecrets
}

/** Brings gateways' news to the service as bad lines do: in any order, some twice, some late, again until it is accepted, and lies among it. */
export interface Courier {
  /** How many requests the service has accepted, those that came again included. */
  accepted: () => number
  /** How many of them had come before. */
  doubled: () => number
  /** How many lies were refused. */
  refused: () => number
  /** Each piece of news that was accepted. */
  keys: ReadonlySet<string>
  /** Answers that should not have been given, in words. */
  faults: readonly string[]
  /** Tells no more lies, and resolves once all that the gateways have to tell is accepted. */
  finish: () => Promise<void>
}

const SENDERS = 8
const LIES = 0.12
const DOUBLED = 0.3
const LATE = 0.1
/** The pause before a gateway sends again what was not accepted. */
const AGAIN_MS = 300

const lies = ['wrong key', 'wrong password', 'altered', 'signed for another account', 'unsigned'] as const
type Lie = (typeof lies)[number]

interface Item {
  station: Station
  parcel: Parcel
  lie: Lie | null
  dueAt: number
  isAgain: boolean
}

const UNANSWERED = { status: 0, text: '' }
/** While the service is killed, and before it has its database. */
const COMES_BACK = new Set([0, 503])

/** `slowMs`: within how long the order of news is mixed; what is late takes some times as long. */
export function openCourier(api: HttpApi, stations: readonly Station[], slowMs: number): Courier {
  const line: Item[] = []
  const keys = new Set<string>()
  const faults: string[] = []
  const count = { accepted: 0, doubled: 0, refused: 0, underWay: 0 }
  let isOpen = true
  let tellsLies = true
  const later = (ms: number) => performance.now() + Math.random() * ms

  const collect = () => {
    for (const station of stations)
      for (const parcel of station.gateway.takeParcels()) {
        const lateMs = Math.random() < LATE ? 4 * slowMs : 0
        line.push({ station, parcel, lie: null, dueAt: later(slowMs) + lateMs, isAgain: false })
        if (tellsLies && Math.random() < LIES) addLie(station, parcel)
      }
  }
  const addLie = (station: Station, parcel: Parcel) => {
    const payments = station.gateway.payments()
    const payment = payments[Math.floor(Math.random() * payments.length)]
    const lie = pick(lies.filter((one) => one !== 'wrong password' || station.gateway.type === 'adyen'))
    if (payment === undefined) return
    const told = lie === 'altered' ? parcel : station.gateway.lieAbout(payment)
    line.push({ station, parcel: told, lie, dueAt: later(slowMs), isAgain: false })
  }
  const heard = (item: Item) => {
    const { station, parcel, isAgain } = item
    count.accepted += 1
    for (const key of parcel.keys) keys.add(`${station.gatewayId} ${key}`)
    if (isAgain) count.doubled += 1
    else if (Math.random() < DOUBLED) line.push({ ...item, dueAt: later(2 * slowMs), isAgain: true })
  }
  const bring = async (item: Item) => {
    const { station, parcel, lie } = item
    const { headers, body } = lie === null ? parcel.signed(station.secrets) : lied(lie, parcel, station)
    const path = `/gateways/${station.gatewayId}/notifications`
    const answer = await api
      .send({ method: 'POST', path, headers, body: Buffer.from(body) })
      .catch(() => UNANSWERED)
    const { status, text } = answer
    if (status === (lie === null ? 200 : 401)) {
      if (lie === null) heard(item)
      else count.refused += 1
      return
    }
    line.push({ ...item, dueAt: later(2 * AGAIN_MS) })
    if (!COMES_BACK.has(status)) faults.push(`${lie ?? 'good news'} was answered ${status}: ${text}`)
  }
  const sender = async () => {
    while (isOpen) {
      const now = performance.now()
      const at = line.findIndex(({ dueAt }) => dueAt <= now)
      const item = at < 0 ? undefined : line.splice(at, 1)[0]
      if (item === undefined) await sleep(5)
      else {
        count.underWay += 1
        await bring(item).finally(() => (count.underWay -= 1))
      }
    }
  }
  const collecting = setInterval(collect, 20)
  const working = Array.from({ length: SENDERS }, sender)
  return {
    accepted: () => count.accepted,
    doubled: () => count.doubled,
    refused: () => count.refused,
    keys,
    faults,
    async finish() {
      tellsLies = false
      collect()
      while (line.length > 0 || count.underWay > 0) await sleep(20)
      clearInterval(collecting)
      isOpen = false
      await Promise.all(working)
    },
  }
}

/** News that its gateway never sent. */
function lied(lie: Lie, parcel: Parcel, { secrets, secretsOfOther }: Station) {
  switch (lie) {
    case 'wrong key':
      return parcel.signed({ ...secrets, signingKeys: secretsOfOther.signingKeys })
    case 'wrong password':
      return parcel.signed({ ...secrets, password: secretsOfOther.password })
    case 'altered': {
      const { headers, body } = parcel.signed(secrets)
      return { headers, body: body.replaceAll(/"(merchantReference|id)":"/g, '"$1":"ALIE ') }
    }
    case 'signed for another account':
      return parcel.signed(secretsOfOther)
    case 'unsigned':
      return { headers: { 'content-type': 'application/json' }, body: parcel.signed(secrets).body }
  }
}

function pick<One>(from: readonly One[]): One {
  const one = from[Math.floor(Math.random() * from.length)]
  if (one === undefined) throw new Error('there is nothing to choose from')
  return one
}
