import { Link } from '@tanstack/react-router'
import { type OwnOrganization, useOrganization } from '../data/organization.tsx'

/** The navigation. */
export function Sidebar({ organizations }: { organizations: readonly OwnOrganization[] }) {
  const { address, name } = useOrganization()
  return (
    <nav aria-label="Main">
      {name} {organizations.length}
      <Link to="/o/$organization/settings/members" params={{ organization: address }}>
        Members
      </Link>
    </nav>
  )
}
