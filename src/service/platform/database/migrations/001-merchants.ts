/** Merchants, their keys and gateway accounts, and the programs of theirs that ask with access tokens. */
export const merchants = `
CREATE TABLE merchants (
  id text PRIMARY KEY,
  name text NOT NULL,
  pre_auth boolean NOT NULL,
  allowed_origins text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

-- id: a part of the hash. key: a public key itself, since it stands in its merchant's pages; of a secret one only the hash is.
CREATE TABLE merchant_keys (
  id text PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('public', 'secret')),
  hash bytea NOT NULL,
  key text CHECK (key IS NULL OR kind = 'public'),
  merchant_id text NOT NULL REFERENCES merchants (id),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3)
);

-- The account's credentials are sealed; null where its type needs none.
CREATE TABLE gateways (
  id text PRIMARY KEY,
  merchant_id text NOT NULL REFERENCES merchants (id),
  name text NOT NULL,
  type text NOT NULL,
  is_default boolean NOT NULL,
  master_key_id text,
  wrapped_data_key bytea,
  credentials bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX gateways_one_default ON gateways (merchant_id) WHERE is_default;

-- issuer: null for a client of the service's own issuer, which has secrets here.
CREATE TABLE oauth_clients (
  id text PRIMARY KEY,
  merchant_id text NOT NULL REFERENCES merchants (id),
  issuer text,
  scopes text[] NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  revoked_at timestamptz(3)
);
CREATE INDEX oauth_clients_of_merchant ON oauth_clients (merchant_id, created_at, id);

CREATE TABLE oauth_secrets (
  hash bytea PRIMARY KEY,
  client_id text NOT NULL REFERENCES oauth_clients (id),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  revoked_at timestamptz(3)
);
CREATE INDEX oauth_secrets_of_client ON oauth_secrets (client_id);

-- The keys that sign access tokens. The unique generation lets only one of several processes make the next key.
CREATE TABLE oauth_signing_keys (
  id text PRIMARY KEY,
  generation integer NOT NULL UNIQUE,
  public_jwk jsonb NOT NULL,
  master_key_id text,
  wrapped_data_key bytea,
  private_jwk bytea,
  signs_from timestamptz(3) NOT NULL
);
`
