import { describe, expect, it } from 'vitest'
import { ConfigError, ServiceError } from './platform/errors.ts'
import { NoArgon2 } from './domains/users/argon2.ts'
import { DatabaseFault } from './platform/database/faults.ts'
import { startFault } from './run-service.ts'

describe('why the service could not start', () => {
  const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' })
  const full = Object.assign(new Error('could not extend file\nNo space left'), { code: '53100' })
  const unavailable = (cause: unknown) => new ServiceError('service_unavailable', 'Try again.', { cause })

  it.each([
    ['a wrong setting', new ConfigError('SVC_PORT must be a port number'), 'SVC_PORT must be a port number'],
    ['a Node without argon2', new NoArgon2('install it'), 'install it'],
    ['the database', new DatabaseFault('the schema\nis newer'), 'the schema is newer'],
    [
      'the system',
      Object.assign(new Error('ENOSPC: no space left on device, write'), { syscall: 'write' }),
      'ENOSPC: no space left on device, write',
    ],
    [
      'a disk that is full',
      unavailable(full),
      'the database cannot be used: could not extend file No space left',
    ],
    ['a database that is away', unavailable(refused), 'the database cannot be used: ECONNREFUSED'],
  ])('is said in one line when it is %s', (_what, error, words) => {
    expect(startFault(error)).toBe(words)
  })

  it('is said with the place in the code when it is a fault of ours', () => {
    const fault = new TypeError('undefined is not a function')
    expect(startFault(fault)).toBe(fault.stack)
  })
})
