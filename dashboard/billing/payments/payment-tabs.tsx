import { useRouter } from '@tanstack/react-router'
import { listMandates, listRemittances } from '#contract/billing/direct-debits.ts'
import { listExternalUsers } from '#contract/billing/external-users.ts'
import { listApplications } from '#contract/integrations/applications.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useWords } from '../../words/words.ts'
import { paymentTexts } from './payments.words.ts'

const routes = {
  payments: '/o/$organization/payments',
  charges: '/o/$organization/payments/charges',
  refunds: '/o/$organization/payments/refunds',
  authorizations: '/o/$organization/payments/authorizations',
  directDebits: '/o/$organization/payments/direct-debits',
  mandates: '/o/$organization/payments/mandates',
} as const
type PaymentTab = keyof typeof routes

/** The lists of money of all invoices, and the cards. A search stays when the person changes the list. */
export function PaymentTabs({ current, search }: { current: PaymentTab; search?: string | undefined }) {
  const text = useWords(paymentTexts)
  const { address } = useOrganization()
  const may = useMay()
  const { buildLocation } = useRouter()
  const isHidden: Partial<Record<PaymentTab, boolean>> = {
    authorizations: !may(listExternalUsers) || !may(listApplications),
    directDebits: !may(listRemittances),
    mandates: !may(listMandates),
  }
  const shown = (Object.keys(routes) as PaymentTab[]).filter(id => !isHidden[id])
  return (
    <Tabs
      label={text.title}
      current={current}
      tabs={shown.map(id => ({
        id,
        title: text[id],
        href: buildLocation({
          to: routes[id],
          params: { organization: address },
          search: search === undefined || id in isHidden ? {} : { search },
        }).href,
      }))}
    />
  )
}
