-- when the last try was counted: the statement that counts compares with it, because Citus takes no clock behind `on conflict`
alter table sign_in_rate add column counted_at timestamptz(3) not null default now();
