import { limits } from '#contract/limits.ts'
import { groupSchema, showList, userSchema } from './scim.json.ts'

/** The documents of RFC 7644 section 4, which say what Patio supports. */
export function discoveryOf(publicUrl: string) {
  const base = `${publicUrl}/scim/v2`
  const resourceTypes = [
    resourceType(base, 'User', '/Users', userSchema),
    resourceType(base, 'Group', '/Groups', groupSchema),
  ]
  const schemas = [
    schema(base, userSchema, 'User', userAttributes),
    schema(base, groupSchema, 'Group', groupAttributes),
  ]
  return {
    serviceProviderConfig: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: limits.provisionedUsersAtOnce },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: false },
      authenticationSchemes: [
        {
          type: 'oauthbearertoken',
          name: 'Bearer token',
          description: 'A token of the organization, sent as Authorization: Bearer',
          primary: true,
        },
      ],
      meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
    },
    resourceTypes,
    schemas,
    resourceTypeList: showList(resourceTypes, resourceTypes.length, 1),
    schemaList: showList(schemas, schemas.length, 1),
  }
}

function resourceType(base: string, name: string, endpoint: string, schemaId: string) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint,
    schema: schemaId,
    schemaExtensions: [],
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }
}

function schema(base: string, id: string, name: string, attributes: readonly object[]) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id,
    name,
    attributes,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  }
}

type AttributeOptions = {
  type?: 'string' | 'boolean' | 'complex' | 'reference'
  mutability?: 'readWrite' | 'readOnly' | 'immutable'
  uniqueness?: 'none' | 'server'
  multiValued?: boolean
  required?: boolean
  caseExact?: boolean
  subAttributes?: readonly object[]
}

function attribute(name: string, description: string, options: AttributeOptions = {}) {
  return {
    name,
    type: 'string',
    multiValued: false,
    description,
    required: false,
    caseExact: false,
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: 'none',
    ...options,
  }
}

const userAttributes = [
  attribute('userName', 'The e-mail address with which the person signs in', {
    required: true,
    uniqueness: 'server',
    mutability: 'immutable',
  }),
  attribute('displayName', 'The name in this organization'),
  attribute('name', 'The parts of the name', {
    type: 'complex',
    subAttributes: [
      attribute('formatted', 'The same as displayName'),
      attribute('givenName', 'The given name'),
      attribute('familyName', 'The family name'),
    ],
  }),
  attribute('active', 'Whether the person is a member, or becomes one by accepting', { type: 'boolean' }),
  attribute('emails', 'The address of the account', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: [
      attribute('value', 'The same as userName', { mutability: 'readOnly' }),
      attribute('type', 'work', { mutability: 'readOnly' }),
      attribute('primary', 'true', { type: 'boolean', mutability: 'readOnly' }),
    ],
  }),
  attribute('roles', 'One role: ADMIN, MEMBER, or the name of a custom role', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The name of the role'),
      attribute('primary', 'true', { type: 'boolean' }),
    ],
  }),
  attribute('groups', 'The groups of the person', {
    type: 'complex',
    multiValued: true,
    mutability: 'readOnly',
    subAttributes: [
      attribute('value', 'The id of the group', { mutability: 'readOnly' }),
      attribute('display', 'The name of the group', { mutability: 'readOnly' }),
      attribute('type', 'direct', { mutability: 'readOnly' }),
    ],
  }),
]

const groupAttributes = [
  attribute('displayName', 'The name of the department, workspace or group', { required: true }),
  attribute('members', 'Users of this organization', {
    type: 'complex',
    multiValued: true,
    subAttributes: [
      attribute('value', 'The id of the user', { mutability: 'immutable' }),
      attribute('display', 'The name of the user', { mutability: 'readOnly' }),
      attribute('type', 'User', { mutability: 'immutable' }),
    ],
  }),
]
