/** Where the rows of a table are in a database that Citus distributes. */
export type Placement =
  /** Divided among the nodes by a column that names the organization. */
  | { readonly kind: 'distributed'; readonly by: string }
  /** Every node has all rows: for what tables of organizations refer to or are joined with. Writes go to all nodes. */
  | { readonly kind: 'reference' }
  /** The coordinator has all rows, and the other nodes ask it: for what is joined with nothing that is distributed. */
  | { readonly kind: 'local' }

type ExplainedPlacement = Placement & { readonly reason: string }

const organizationColumn = 'organization_id'

/** The tables without `organization_id`, with their placement and why they belong to no organization. */
export const tablesWithoutOrganization: Readonly<Record<string, ExplainedPlacement>> = {
  organization: reference('is the organization'),
  person: reference('stands above organizations'),
  organization_address: reference('leads to an organization, before it is known which'),
  file_object: reference(
    'is a content, which several organizations may have; never written inside a business transaction',
  ),
  market_listing: reference('is the catalogue, which every organization reads'),
  market_release: reference(
    'is what was submitted to it: its own organization, who lists it and who installed it read it',
  ),
  market_release_file: reference('belongs to a release'),
  market_review: reference('stands in the catalogue'),
  market_review_hidden: reference('stands in the catalogue'),
  market_word: reference('is a word of the catalogue'),
  market_listing_count: reference('counts the catalogue'),
  market_rating_average: reference('is about all ratings together'),
  relay_lease: reference(
    'says which process numbers for which organizations; never written inside a business transaction',
  ),
  dispatch_shard: reference('says which process sends for which endpoints'),
  dispatch_node: reference('says which processes send'),
  session: local('belongs to a person'),
  credential: local('belongs to a person'),
  two_factor: local('belongs to a person'),
  passkey: local('belongs to a person'),
  person_preference: local('belongs to a person'),
  verification: local('is about an address that may have no account yet'),
  operator: local('runs the whole server'),
  sign_in_rate: local('counts before it is known who asks'),
  rate_window: local(
    'counts callers who may have no organization; inside a business transaction only what counts successes writes it',
  ),
  job_run: local('says when the workers last ran a job; never written inside a business transaction'),
  migration: local('tells what was applied to this database'),
  webhook_new_range: distributed(
    'organization_key',
    'is what the relay wrote for the dispatcher; never written inside a business transaction',
  ),
  webhook_due: distributed(
    'organization_key',
    'is what the dispatcher has before it; never written inside a business transaction',
  ),
}

/** Triggers that cannot run on the part of a table that one node has, with the reason. They only prevent mistakes. */
export const triggersOfOneServer: Readonly<Record<string, string>> = {
  refuse_unstamped_lead:
    'looks into another distributed table for the transaction of the server that has all rows',
}

function reference(reason: string): ExplainedPlacement {
  return { kind: 'reference', reason }
}

function local(reason: string): ExplainedPlacement {
  return { kind: 'local', reason }
}

function distributed(by: string, reason: string): ExplainedPlacement {
  return { kind: 'distributed', by, reason }
}

/**
 * The placement of a table with these columns: by its organization, or as `tablesWithoutOrganization` says. Undefined if
 * neither says where it is.
 */
export function placementOf(table: string, columns: readonly string[]): Placement | undefined {
  return columns.includes(organizationColumn)
    ? { kind: 'distributed', by: organizationColumn }
    : tablesWithoutOrganization[table]
}
