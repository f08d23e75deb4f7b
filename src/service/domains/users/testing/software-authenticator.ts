import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import * as v from 'valibot'
import type { NewPasskey, PasskeySignIn } from '../../../../contract/dashboard/people/passkey.ts'

const CreationOptions = v.looseObject({
  challenge: v.string(),
  rp: v.looseObject({ id: v.string() }),
  user: v.looseObject({ id: v.string() }),
})
const RequestOptions = v.looseObject({ challenge: v.string(), rpId: v.string() })

/** What an attacker or a broken device does wrong. */
interface Fault {
  origin?: string
  rpId?: string
  /** The person gave no finger, face or PIN. */
  isUnverified?: boolean
  /** The counter of a copied device. */
  counter?: number
  challenge?: string
  userHandle?: string
}

/** A device that makes a passkey and signs with it by ES256, as WebAuthn says. */
export interface SoftwareAuthenticator {
  credentialId: string
  create: (options: unknown, fault?: Fault) => NewPasskey['response']
  get: (options: unknown, fault?: Fault) => PasskeySignIn['response']
}

const FLAGS = { present: 0x01, verified: 0x04, hasCredential: 0x40 }

export function createSoftwareAuthenticator(origin: string): SoftwareAuthenticator {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  const credentialId = id.toString('base64url')
  let counter = 0
  let userHandle = ''

  const clientData = (type: string, challenge: string, fault: Fault) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false, ...clientFaults(fault) }))
  const authenticatorData = (rpId: string, fault: Fault, credential: Buffer = Buffer.alloc(0)) => {
    counter += 1
    const verified = fault.isUnverified === true ? 0 : FLAGS.verified
    const flags = FLAGS.present | verified | (credential.length > 0 ? FLAGS.hasCredential : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(fault.counter ?? counter)
    const rpIdHash = sha256(Buffer.from(fault.rpId ?? rpId))
    return Buffer.concat([rpIdHash, Buffer.from([flags]), count, credential])
  }
  const named = <Response>(response: Response) => ({
    id: credentialId,
    rawId: credentialId,
    type: 'public-key' as const,
    clientExtensionResults: {},
    response,
  })

  return {
    credentialId,
    create(given, fault = {}) {
      const options = v.parse(CreationOptions, given)
      userHandle = options.user.id
      const aaguid = Buffer.alloc(16)
      const credential = Buffer.concat([aaguid, Buffer.from([0, id.length]), id, coseKeyOf(publicKey)])
      const authData = authenticatorData(options.rp.id, fault, credential)
      return named({
        clientDataJSON: clientData('webauthn.create', options.challenge, fault).toString('base64url'),
        attestationObject: attestationOf(authData).toString('base64url'),
        transports: ['internal'],
      })
    },
    get(given, fault = {}) {
      const options = v.parse(RequestOptions, given)
      const client = clientData('webauthn.get', options.challenge, fault)
      const data = authenticatorData(options.rpId, fault)
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)
      return named({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: fault.userHandle ?? userHandle,
      })
    },
  }
}

/** A fault's changes of the data that the browser signs. */
function clientFaults({ origin, challenge }: Fault): object {
  return { ...(origin !== undefined && { origin }), ...(challenge !== undefined && { challenge }) }
}

/** COSE (RFC 9053): an EC2 key for ES256 on P-256. */
function coseKeyOf(publicKey: KeyObject): Uint8Array {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
      [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
    ]),
  )
}

/** No attestation of the device's maker. */
function attestationOf(authData: Buffer): Buffer {
  const attestation = new Map<string, string | Map<string, string> | Uint8Array>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', new Uint8Array(authData)],
  ])
  return Buffer.from(isoCBOR.encode(attestation))
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}
