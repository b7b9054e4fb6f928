import { Navigate } from '@tanstack/react-router'
import { useHrefOf, useNavigation } from './destinations.ts'

/** The settings without a page open the first one that the person may use. */
export function SettingsStart() {
  const hrefOf = useHrefOf()
  const [first] = useNavigation().flatMap(({ destinations }) =>
    destinations.flatMap(({ id, pages = [] }) => (id === 'settings' ? pages : [])),
  )
  return first ? <Navigate to={hrefOf(first)} replace /> : null
}
