import type { VNode } from 'preact'
import type { ChargeResource } from '../../../../contract/api/charges/charge-resource.ts'
import { Facts } from '../../../components/data/facts.tsx'
import { IdText } from '../../../components/data/id-text.tsx'
import { Moment } from '../../../formats/moment.tsx'
import { Money } from '../../../formats/money.tsx'
import { Section } from '../../../shell/section.tsx'
import { CardName } from '../card-name.tsx'
import { moneyOf } from './charge-money.ts'
import { chargeDetailTexts } from './texts.ts'

const { facts } = chargeDetailTexts

interface ChargeFactsProps {
  charge: ChargeResource
  /** ISO 8601; null unless funds are held. */
  holdEndsAt: string | null
}

/** What is known of a charge beside what was tried with it. */
export function ChargeFacts({ charge, holdEndsAt }: ChargeFactsProps): VNode {
  const { customer, currency } = charge
  const source = customer.payment_source
  const { captured, refunded, refundable, amount } = moneyOf(charge)
  const money = (cents: number) => <Money cents={cents} currency={currency} />
  return (
    <>
      <Section title={chargeDetailTexts.details}>
        <Facts
          facts={[
            [facts.amount, money(amount)],
            [facts.captured, captured > 0 && captured !== amount ? money(captured) : null],
            [facts.refunded, refunded > 0 ? money(refunded) : null],
            [facts.left, refunded > 0 && refundable > 0 ? money(refundable) : null],
            [facts.holdEnds, holdEndsAt && <Moment at={holdEndsAt} />],
            [facts.reference, charge.reference],
            [facts.description, charge.description],
            [facts.created, <Moment at={charge.created_at} />],
            [facts.card, <CardName scheme={source.card_scheme} last4={source.card_number_last4} />],
            [facts.holder, source.card_name],
            [facts.expiry, expiryOf(source)],
            [facts.gateway, source.gateway_name],
            [facts.gatewayId, charge.external_id && <code>{charge.external_id}</code>],
            [facts.address, charge._source_ip_address],
            [facts.id, <IdText id={charge._id} label={chargeDetailTexts.idLabel} />],
          ]}
        />
      </Section>
      <CustomerFacts charge={charge} />
    </>
  )
}

function CustomerFacts({ charge: { customer } }: { charge: ChargeResource }): VNode | null {
  const { first_name, last_name, email, phone } = customer
  const name = [first_name, last_name].filter(Boolean).join(' ')
  const address = addressOf(customer.payment_source)
  if ([name, email, phone, address].every((one) => one === undefined || one === '')) return null
  return (
    <Section title={chargeDetailTexts.customer}>
      <Facts
        facts={[
          [facts.name, name],
          [facts.email, email],
          [facts.phone, phone],
          [facts.billing, address],
        ]}
      />
    </Section>
  )
}

type Source = ChargeResource['customer']['payment_source']

function expiryOf({ expire_month, expire_year }: Source): string {
  return `${String(expire_month).padStart(2, '0')}/${String(expire_year)}`
}

/** The address in one line. */
function addressOf(source: Source): string {
  const place = [source.city, source.state, source.postcode]
  return [
    source.address_company,
    source.address_line1,
    source.address_line2,
    place.filter(Boolean).join(' '),
    source.country,
  ]
    .filter(Boolean)
    .join(', ')
}
