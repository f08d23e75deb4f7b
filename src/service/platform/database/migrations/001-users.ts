/** People who sign in to the dashboard, their teams, sessions and credentials. One-time secrets are kept as hashes. */
export const users = `
-- password_hash: null after a reset, until a new password is set.
CREATE TABLE users (
  id text PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text,
  time_zone text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_by_email ON users (email);

CREATE TABLE memberships (
  merchant_id text NOT NULL REFERENCES merchants (id),
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'developer', 'viewer')),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  seen_at timestamptz(3),
  PRIMARY KEY (merchant_id, user_id)
);
CREATE INDEX memberships_of_user ON memberships (user_id);

-- People who have left a team, by the name that they had then. It stays when the person's account is deleted.
CREATE TABLE former_members (
  merchant_id text NOT NULL REFERENCES merchants (id),
  user_id text NOT NULL,
  name text NOT NULL,
  PRIMARY KEY (merchant_id, user_id)
);

-- An invitation with resets_user_id lets that person set a new password.
CREATE TABLE invitations (
  id text PRIMARY KEY,
  token_hash bytea NOT NULL,
  merchant_id text NOT NULL REFERENCES merchants (id),
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'developer', 'viewer')),
  invited_by text REFERENCES users (id) ON DELETE SET NULL,
  resets_user_id text REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  ends_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX invitations_by_token ON invitations (token_hash);
CREATE UNIQUE INDEX invitations_of_merchant ON invitations (merchant_id, email);

-- is_complete: every factor that the person has was given. invitation_id: the one by which the person joins a team then.
CREATE TABLE user_sessions (
  id text PRIMARY KEY,
  token_hash bytea NOT NULL,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  merchant_id text NOT NULL REFERENCES merchants (id),
  is_complete boolean NOT NULL,
  invitation_id text,
  address text NOT NULL,
  user_agent text NOT NULL,
  password_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  seen_at timestamptz(3) NOT NULL DEFAULT now(),
  ends_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX user_sessions_by_token ON user_sessions (token_hash);
CREATE INDEX user_sessions_of_user ON user_sessions (user_id, merchant_id);

CREATE TABLE user_addresses (
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  address text NOT NULL,
  seen_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (user_id, address)
);

CREATE TABLE user_totp (
  user_id text PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  master_key_id text NOT NULL,
  wrapped_data_key bytea NOT NULL,
  secret bytea NOT NULL,
  is_confirmed boolean NOT NULL DEFAULT false,
  last_step bigint NOT NULL DEFAULT 0
);

CREATE TABLE recovery_codes (
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  hash bytea NOT NULL,
  PRIMARY KEY (user_id, hash)
);

CREATE TABLE passkeys (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  credential_id text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3)
);
CREATE UNIQUE INDEX passkeys_by_credential ON passkeys (credential_id);
CREATE INDEX passkeys_of_user ON passkeys (user_id);

-- Unlogged: after a crash of PostgreSQL a person signs in once more.
CREATE UNLOGGED TABLE passkey_challenges (
  hash bytea PRIMARY KEY,
  purpose text NOT NULL,
  ends_at timestamptz(3) NOT NULL
);
`
