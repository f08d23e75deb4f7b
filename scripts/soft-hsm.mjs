import { existsSync } from 'node:fs'
import { installFromDebian, mayInstall } from './debian.mjs'

/** A token in software, for the tests of keys in an HSM; where it can't be had they are left out, and say so. */
export async function installSoftHsm() {
  if (existsSync('/usr/bin/softhsm2-util')) return
  if (mayInstall) await installFromDebian(['softhsm2'])
  else console.log('SoftHSM2 is not there: keys in an HSM are left out of the tests (Debian: softhsm2)')
}
