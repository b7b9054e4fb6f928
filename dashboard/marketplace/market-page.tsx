import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { updateOrganization } from '#contract/identity/organization.ts'
import { listEntries } from '#contract/marketplace/entries.ts'
import { useMay, useObstacle, useOrganization } from '../data/organization.tsx'
import { ButtonLink } from '../parts/button.tsx'
import { Page } from '../parts/page.tsx'
import { Empty } from '../parts/states.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { useWords } from '../words/words.ts'
import { marketTexts } from './marketplace.words.ts'

const routes = {
  catalogue: '/o/$organization/marketplace',
  mine: '/o/$organization/marketplace/mine',
  installs: '/o/$organization/marketplace/installs',
  reviews: '/o/$organization/marketplace/reviews',
} as const
export type MarketTab = keyof typeof routes

/** The four lists of the marketplace. */
export function MarketTabs({ current }: { current: MarketTab }) {
  const text = useWords(marketTexts)
  const { address } = useOrganization()
  const { buildLocation } = useRouter()
  return (
    <Tabs
      label={text.title}
      current={current}
      tabs={(Object.keys(routes) as MarketTab[]).map(id => ({
        id,
        title: text[id],
        href: buildLocation({ to: routes[id], params: { organization: address } }).href,
      }))}
    />
  )
}

/** Shows a screen of the marketplace, or says why the organization or the person has none. */
export function WithMarketplace({ children }: { children: () => ReactNode }) {
  const text = useWords(marketTexts)
  const { address } = useOrganization()
  const may = useMay()
  const obstacle = useObstacle(listEntries)
  if (obstacle === undefined) return children()
  return (
    <Page title={text.title}>
      {obstacle === 'permission' ? (
        <Empty title={text.deniedTitle}>{text.deniedAbout}</Empty>
      ) : (
        <Empty
          title={text.offTitle}
          action={
            may(updateOrganization) && (
              <ButtonLink href={`/o/${encodeURIComponent(address)}/settings/organization`}>
                {text.offAction}
              </ButtonLink>
            )
          }
        >
          {text.offAbout}
        </Empty>
      )}
    </Page>
  )
}
