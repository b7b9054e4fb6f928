import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { listClients } from '#contract/crm/clients.ts'
import { useMay, useOrganization } from '../../data/organization.tsx'
import { TextLink } from '../../parts/text-link.tsx'

/** The URL of the page of an invoice or a client; undefined without such a page, or if the person may not see it. */
export function useDetailHref(): (noun: 'invoice' | 'client', id: string) => string | undefined {
  const { address } = useOrganization()
  const { routesByPath } = useRouter()
  const may = useMay()
  return (noun, id) => {
    if (noun === 'client' && !may(listClients)) return undefined
    if (!(`/o/$organization/${noun}s/$${noun}Id` in routesByPath)) return undefined
    return `/o/${encodeURIComponent(address)}/${noun}s/${encodeURIComponent(id)}`
  }
}

/** A link to the page of an invoice or a client, or its name alone. */
export function DetailLink({
  noun,
  id,
  children,
}: {
  noun: 'invoice' | 'client'
  id: string
  children: ReactNode
}) {
  const href = useDetailHref()(noun, id)
  if (href === undefined) return <>{children}</>
  return <TextLink href={href}>{children}</TextLink>
}
