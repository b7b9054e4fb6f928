import { useOrganization } from '../data/organization.tsx'
import {
  type Destination,
  type NavigationGroup,
  navigation,
  type ShownDestination,
  shownDestinations,
} from './navigation.ts'

export type ShownGroup = Omit<NavigationGroup, 'destinations'> & { destinations: readonly ShownDestination[] }

/** The navigation as the person sees it in this organization, without empty groups. */
export function useNavigation(): ShownGroup[] {
  const { caller } = useOrganization()
  return navigation
    .map(group => ({
      ...group,
      destinations: shownDestinations(group.destinations, caller),
    }))
    .filter(({ destinations }) => destinations.length > 0)
}

/** The URL of an entry in the organization of the address. */
export function useHrefOf(): (destination: Pick<Destination, 'route'>) => string {
  const { address } = useOrganization()
  return ({ route }) => route.replace('$organization', encodeURIComponent(address))
}
