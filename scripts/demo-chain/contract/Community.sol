// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A small referral community
/// @notice Everybody binds once to the member who referred them. The demo chain is seeded through `record`, which also
/// writes the irregular events that contracts in the wild emit, so that whoever reads the stream meets them here too.
contract Community {
    event Bound(address indexed member, address indexed referrer);
    event VolumeAdded(address indexed member, uint256 amount);
    event RewardPaid(address indexed member, uint256 amount);

    error AlreadyBound(address member, address referrer);
    error SelfReferral(address member);
    error ReferrerNotBound(address referrer);
    error NotOwner(address caller);
    error EmptyReferrer();

    enum Kind {
        /// Binds: the event, and the referrer kept in `referrerOf`.
        Bound,
        /// The event alone: a bind to oneself, a second bind, a cycle.
        BoundEventOnly,
        VolumeAdded,
        RewardPaid
    }

    /// @param value The referrer as a number for the first two kinds, the amount for the others.
    struct Entry {
        Kind kind;
        address member;
        uint256 value;
    }

    address public immutable owner;

    /// @notice The referrer a member is bound to; zero for whoever is not bound, and for roots bound to nobody.
    mapping(address member => address referrer) public referrerOf;
    mapping(address member => bool) public isBound;

    constructor() {
        owner = msg.sender;
    }

    modifier onlyOwner() {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        _;
    }

    /// @notice Binds the sender to `referrer`, once and for all.
    function bind(address referrer) external {
        if (referrer == address(0)) revert EmptyReferrer();
        if (referrer == msg.sender) revert SelfReferral(msg.sender);
        if (isBound[msg.sender]) revert AlreadyBound(msg.sender, referrerOf[msg.sender]);
        if (!isBound[referrer]) revert ReferrerNotBound(referrer);
        _bind(msg.sender, referrer);
    }

    /// @notice Writes entries as given, unchecked.
    function record(Entry[] calldata entries) external onlyOwner {
        for (uint256 i = 0; i < entries.length; ++i) {
            Entry calldata entry = entries[i];
            address referrer = address(uint160(entry.value));
            if (entry.kind == Kind.Bound) _bind(entry.member, referrer);
            else if (entry.kind == Kind.BoundEventOnly) emit Bound(entry.member, referrer);
            else if (entry.kind == Kind.VolumeAdded) emit VolumeAdded(entry.member, entry.value);
            else emit RewardPaid(entry.member, entry.value);
        }
    }

    function _bind(address member, address referrer) private {
        isBound[member] = true;
        referrerOf[member] = referrer;
        emit Bound(member, referrer);
    }
}
