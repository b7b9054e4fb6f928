import { useRouter } from '@tanstack/react-router'
import { useOrganization } from '../data/organization.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { useWords } from '../words/words.ts'
import { errorTexts } from './groups/errors.words.ts'

const routes = {
  title: '/o/$organization/errors',
  tickets: '/o/$organization/errors/tickets',
  reporting: '/o/$organization/errors/reporting',
} as const

/** The errors, their tickets, and how they arrive. The application stays when the person changes the screen. */
export function ErrorTabs({
  current,
  application,
}: {
  current: keyof typeof routes
  application: string | undefined
}) {
  const text = useWords(errorTexts)
  const { address } = useOrganization()
  const { buildLocation } = useRouter()
  return (
    <Tabs
      label={text.title}
      current={current}
      tabs={(Object.keys(routes) as (keyof typeof routes)[]).map(id => ({
        id,
        title: text[id],
        href: buildLocation({
          to: routes[id],
          params: { organization: address },
          search: application === undefined ? {} : { application },
        }).href,
      }))}
    />
  )
}
