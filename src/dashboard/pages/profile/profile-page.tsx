import type { VNode } from 'preact'
import { PageHeader } from '../../shell/page-header.tsx'
import { AboutSection } from './about-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { RecoveryCodesSection } from './recovery-codes-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { profileTexts } from './texts.ts'
import { TotpSection } from './totp-section.tsx'
import './profile.css'

/** What a person sets for themselves: name, time zone, and the ways to sign in. */
export function ProfilePage(): VNode {
  return (
    <>
      <PageHeader title={profileTexts.title} />
      <AboutSection />
      <PasswordSection />
      <PasskeysSection />
      <TotpSection />
      <RecoveryCodesSection />
      <SessionsSection />
    </>
  )
}
