import type { VNode } from 'preact'
import { PageHeader } from '../../shell/page-header.tsx'
import { ClientsSection } from './clients-section.tsx'
import { CompanySection } from './company-section.tsx'
import { KeysSection } from './keys-section.tsx'
import { OriginsSection } from './origins-section.tsx'
import { PciSection } from './pci-section.tsx'
import { securityTexts } from './texts.ts'

/** What a merchant's programs and pages need, under the heading by which the public description knows it. */
export function SecurityPage(): VNode {
  return (
    <>
      <PageHeader title={securityTexts.title}>{securityTexts.description}</PageHeader>
      <KeysSection />
      <OriginsSection />
      <ClientsSection />
      <CompanySection />
      <PciSection />
    </>
  )
}
