import { useRouter } from '@tanstack/react-router'
import { useOrganization } from '../data/organization.tsx'
import {
  type Destination,
  type NavigationGroup,
  navigation,
  type ShownDestination,
  settingsNavigation,
  shownDestinations,
} from './navigation.ts'

export type ShownGroup = Omit<NavigationGroup, 'destinations'> & { destinations: ShownDestination[] }

/** The navigation as the person sees it in this organization, without empty groups. */
export function useNavigation(): ShownGroup[] {
  const shown = useShown()
  return navigation
    .map(group => ({ ...group, destinations: shown(group.destinations) }))
    .filter(({ destinations }) => destinations.length > 0)
}

/** The pages of the settings that the person sees. */
export function useSettingsNavigation(): ShownDestination[] {
  return useShown()(settingsNavigation)
}

/** The URL of an entry in the organization of the address. */
export function useHrefOf(): (destination: Destination) => string {
  const { address } = useOrganization()
  return ({ route }) => route.replace('$organization', encodeURIComponent(address))
}

function useShown(): (destinations: readonly Destination[]) => ShownDestination[] {
  const { caller } = useOrganization()
  const { routesByPath } = useRouter()
  return destinations => shownDestinations(destinations, caller, route => route in routesByPath)
}
